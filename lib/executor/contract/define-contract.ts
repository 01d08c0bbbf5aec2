import { z } from 'zod';
import { InvalidArguments } from '../identity/invalid-arguments.ts';
import { assertPlainJson, type PlainJson } from '../identity/plain-json.ts';
import { contractProblems } from './contract-rules.ts';
import { contractSchema, type Contract, type ContractInput } from './contract.ts';
import { InvalidContract, type ContractProblem } from './invalid-contract.ts';

/**
 * Checks a contract and gives it frozen, with its defaults filled in. Throws {@link InvalidContract} with every
 * problem found: first those of shape, then those between fields. The contract must be plain JSON, because
 * it is kept as data. (A loader for YAML files would end here too.)
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

type Issue = z.core.$ZodIssue;

/** Sentences for the two mistakes that are made most; zod's own for the rest. */
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    return `${issue.keys.map((key) => `\`${key}\``).join(', ')} is not a field here; remove it or correct its name.`;
  }
  if (issue.input === undefined) return 'It is missing; state it.';
  return undefined;
}

/** The issue of a union or of a record's key says nothing by itself: the issues inside it do. */
function problemsOf(issue: Issue): ContractProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, sentence: message }));
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, sentence: issue.message }];
  const alternatives = issue.errors.map((issues) => `(${issues.map(innerSentence).join('; ')})`);
  return [{ path, sentence: `It must be one of these. ${alternatives.join(' or ')}` }];
}

function innerSentence({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}
