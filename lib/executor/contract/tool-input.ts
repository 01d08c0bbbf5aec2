import type { Contract } from './contract.ts';
import { InvalidContract } from './invalid-contract.ts';

/** Names under which a model could try to give an operation its identity, spelled without separators. */
const IDENTITY_NAMES: ReadonlySet<string> = new Set([
  'operationkey',
  'idempotencykey',
  'idempotencytoken',
  'successorkey',
  'supersedeskey',
  'downstreamkey',
  'dedupekey',
  'deduplicationkey',
  'fingerprint',
  'requestfingerprint',
  'tenant',
  'tenantid',
  'leasetoken',
  'intentevent',
]);

/** Whether a property name stands for identity, however it is cased, joined or drawn (`Idempotency-Key`, `tenantId`). */
export function isIdentityName(name: string): boolean {
  return IDENTITY_NAMES.has(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
}

/**
 * Refuses a tool whose input schema has a property of identity: nothing of it may come from the model.
 * Takes the names of all properties of the JSON schema, nested ones too; throws {@link InvalidContract}.
 */
export function assertNoIdentityInSchema(propertyNames: Iterable<string>): void {
  const problems = [...propertyNames].filter(isIdentityName).map((name) => ({
    path: name,
    sentence:
      'Identity comes from the application, never from the model; take this property out of the input schema.',
  }));
  if (problems.length > 0) throw new InvalidContract('', problems);
}

/** Refuses a tool whose input schema has a top-level property that the contract calls neither material nor ignored. */
export function assertEveryFieldListed(contract: Contract, propertyNames: Iterable<string>): void {
  const problems = [...propertyNames]
    .filter((name) => !Object.hasOwn(contract.material, name) && !Object.hasOwn(contract.ignored, name))
    .map((name) => ({
      path: name,
      sentence:
        'The contract lists it neither as material nor as ignored; decide whether it changes the effect.',
    }));
  if (problems.length > 0) throw new InvalidContract(`${contract.name}@${contract.version}`, problems);
}
