import { z } from 'zod';
import type { Contract } from './contract.ts';
import { contractSchema } from './contract.ts';
import { fieldName, materialField, sentence } from './contract-parts.ts';
import { InvalidContract } from './invalid-contract.ts';

/** What of a contract decides whether two requests are the same. */
export type IdentityRules = Pick<Contract, 'name' | 'material' | 'ignored' | 'canonicalization_version'>;

const identityRules = z.object({
  name: contractSchema.shape.name,
  material: z.record(fieldName, z.object(materialField.shape)),
  ignored: z.record(fieldName, sentence),
  canonicalization_version: contractSchema.shape.canonicalization_version,
});

/**
 * The identity rules of a stored contract (`tool_contracts.body`), whatever else stands in it: an older or a newer
 * program may have written it, and its records are still compared under it. Throws {@link InvalidContract} where these
 * four cannot be read: a field rule or a canonical form that this program does not know must not be guessed.
 */
export function readIdentityRules(body: unknown): IdentityRules {
  const parsed = identityRules.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new InvalidContract(
    '',
    parsed.error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), sentence: message })),
  );
}
