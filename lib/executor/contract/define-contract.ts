import { z } from 'zod';
import { InvalidArguments } from '../identity/invalid-arguments.ts';
import { assertPlainJson, type PlainJson } from '../identity/plain-json.ts';
import { explain, problemsOf } from './contract-issues.ts';
import { contractProblems } from './contract-rules.ts';
import { contractSchema, type Contract, type ContractInput } from './contract.ts';
import { InvalidContract } from './invalid-contract.ts';

/**
 * Checks a contract and gives it frozen, with its defaults filled in. Throws {@link InvalidContract} with every
 * problem found: first those of shape, then those between fields. The contract must be plain JSON, because
 * it is kept as data. A YAML document is read by `loadContract`, which ends here too.
 */
export function defineContract(input: ContractInput): Contract {
  return readContract(input);
}

/** {@link defineContract} for data of unknown origin, such as `tool_contracts.body`. */
export function readContract(input: unknown): Contract {
  const plain = plainJson(input);
  const parsed = contractSchema.safeParse(plain, { error: explain });
  if (!parsed.success) throw new InvalidContract(label(plain), parsed.error.issues.flatMap(problemsOf));
  const problems = contractProblems(parsed.data);
  if (problems.length > 0) throw new InvalidContract(label(plain), problems);
  // Frozen by the guard's copy, which also drops whatever is not data.
  return assertPlainJson(parsed.data) as Contract;
}

function plainJson(input: unknown): PlainJson {
  try {
    return assertPlainJson(input);
  } catch (error) {
    if (!(error instanceof InvalidArguments)) throw error;
    throw new InvalidContract('', [{ path: error.path, sentence: error.message }]);
  }
}

function label(plain: PlainJson): string {
  const name = z.object({ name: z.string().max(100) }).safeParse(plain).data?.name;
  return name ?? '';
}
