import type { z } from 'zod';
import type { ContractProblem } from './invalid-contract.ts';

type Issue = z.core.$ZodIssue;

const TYPES: { readonly [expected: string]: string } = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of fields',
  record: 'a map of fields',
};

/** Sentences for the mistakes that are made most; zod's own for the rest. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.map((key) => `\`${key}\``).join(', ')} is not a field here; remove it or correct its name.`;
  if (issue.input === undefined) return 'It is missing; state it.';
  if (issue.code === 'invalid_type') {
    const quotes =
      issue.expected === 'string' && typeof issue.input === 'number' ? '; write it in quotes' : '';
    return `It must be ${TYPES[issue.expected] ?? issue.expected}${quotes}.`;
  }
  if (issue.code === 'invalid_value') return `It must be ${issue.values.map(String).join(' or ')}.`;
  return undefined;
}

/** The issue of a union or of a record's key says nothing by itself: the issues inside it do. */
export function problemsOf(issue: Issue): ContractProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, sentence: message }));
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...issue.path, key].map(String).join('.'),
      sentence: `\`${key}\` is not a field here; remove it or correct its name.`,
    }));
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, sentence: issue.message }];
  const alternatives = issue.errors.map((issues) => `(${issues.map(innerSentence).join('; ')})`);
  return [{ path, sentence: `It must be one of these. ${alternatives.join(' or ')}` }];
}

function innerSentence({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}
