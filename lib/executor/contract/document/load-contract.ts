import type { z } from 'zod';
import { contractDigest } from '../contract-digest.ts';
import { explain, problemsOf } from '../contract-issues.ts';
import { contractProblems } from '../contract-rules.ts';
import { contractSchema, type Contract } from '../contract.ts';
import { readContract } from '../define-contract.ts';
import { InvalidContract, type ContractProblem } from '../invalid-contract.ts';
import type { Stated } from '../stated.ts';
import { isBracketed, isProse, takePlaceholders } from './placeholders.ts';
import { questionOf, REVIEWED_QUESTIONS } from './questions.ts';
import {
  nodeAt,
  plainOf,
  readSource,
  sourceOf,
  type Position,
  type SourceMap,
  type SourceNode,
} from './source.ts';
import { translate, type OpenQuestion } from './translate.ts';

/** One finding, with its place in the file: both null where the contract was not written in one. */
export interface Finding {
  path: string;
  line: number | null;
  column: number | null;
  message: string;
}

/** A contract on its way to being one. */
export interface Draft {
  file: string;
  /** False where the text is not a document at all: then nothing but `errors` is known. */
  readable: boolean;
  /** What is known and valid by itself. */
  stated: Stated;
  /** What is wrong, in the order of the file. */
  errors: Finding[];
  /** What is not decided yet. */
  open: Finding[];
  /** The whole, once nothing is wrong and nothing open; and its digest. */
  contract: Contract | null;
  digest: string | null;
  /** Where a field stands; of one that does not, where the nearest field around it stands. */
  place(path: string): Position | null;
}

/** Until a review says otherwise it is manual; there is one canonical form. */
const DEFAULTS = { canonicalization_version: 1, decision: 'manual' };

/**
 * Reads a contract from YAML (or JSON) text, as far as it goes. Words of the article's artifacts are read through the
 * alias table (`aliases.ts`); what nobody filled in yet, and a sentence where a value is needed, are open decisions.
 * Never throws: every refusal is a finding with its line.
 */
export function loadContract(text: string, file: string): Draft {
  const { root, problems } = readSource(text);
  if (root !== null) return draftOf(root, file);
  const errors = problems.map(({ path, at, sentence }) => finding(path, at, sentence));
  return {
    file,
    readable: false,
    stated: {},
    errors,
    open: [],
    contract: null,
    digest: null,
    place: () => null,
  };
}

/** The draft of a contract that is written in code: without lines. */
export function draftOfContract(contract: Contract, file: string): Draft {
  const root = sourceOf(contract);
  if (root.kind !== 'map') throw new TypeError('A contract is an object.');
  return draftOf(root, file);
}

function draftOf(root: SourceMap, file: string): Draft {
  const { problems, open: asked } = translate(root);
  const open = [
    ...asked,
    ...takePlaceholders(root).map(({ path, node }) => ({ path, at: node.at, question: questionOf(path) })),
  ];
  const wrong: Placed[] = problems.map(({ path, at, sentence }) => ({ path, sentence, at }));
  const plain = { ...DEFAULTS, ...(plainOf(root) as object) };
  const place = (path: string): Position | null => positionIn(root, open, path);
  const covered = (path: string) => [...open, ...wrong].some((other) => overlap(other.path, path));
  const stated: unknown = structuredClone(plain);

  const parsed = contractSchema.safeParse(plain, { error: explain });
  for (const issue of parsed.success ? [] : parsed.error.issues) {
    const dropped =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of dropped) drop(stated, path);
    for (const { path, sentence } of problemsOf(issue)) {
      if (open.some((other) => overlap(other.path, path))) continue;
      if (valueAt(plain, issue.path) === undefined || isUndecided(issue, nodeAt(root, path)))
        open.push({ path, at: place(path), question: questionOf(path) });
      else wrong.push({ path, sentence, at: place(path) });
    }
  }
  const known = stated as Stated;
  for (const { path, sentence, cause, asks } of contractProblems(known)) {
    if (covered(path)) continue;
    const at = place(cause ?? path);
    if (asks === true) open.push({ path, at, question: sentence });
    else wrong.push({ path, sentence, at });
  }
  if (known.effect_class !== 'read') {
    for (const path of Object.keys(REVIEWED_QUESTIONS).filter((path) => !path.includes('.')))
      if (!Object.hasOwn(plain, path) && !covered(path))
        open.push({ path, at: place(path), question: questionOf(path) });
  }
  const contract = wrong.length + open.length === 0 ? readContract(plain) : null;
  return {
    file,
    readable: true,
    stated: known,
    errors: inOrder(wrong).map(({ path, at, sentence }) => finding(path, at, sentence)),
    open: inOrder(open).map(({ path, at, question }) => finding(path, at, question)),
    contract,
    digest: contract && contractDigest(contract),
    place,
  };
}

/** Whether a bracketed value or a sentence stands where a value of another kind is needed. */
function isUndecided(issue: z.core.$ZodIssue, node: SourceNode | undefined): boolean {
  const anotherKind =
    ['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code) ||
    (issue.code === 'invalid_format' && issue.format === 'date');
  return anotherKind && (isBracketed(node) || isProse(node));
}

/**
 * The contract of a draft, to register a tool with. Throws {@link InvalidContract} that names file and line of all
 * that is wrong or open.
 */
export function contractOf(draft: Draft): Contract {
  if (draft.contract !== null) return draft.contract;
  throw new InvalidContract(
    draft.file,
    [...draft.errors, ...draft.open].map(({ path, line, message }) => ({
      path: line === null ? path : `line ${line}, ${path}`,
      sentence: message,
    })),
  );
}

interface Placed extends ContractProblem {
  at: Position | null;
}

const finding = (path: string, at: Position | null, message: string): Finding => ({
  path,
  line: at?.line ?? null,
  column: at?.column ?? null,
  message,
});

function inOrder<T extends { at: Position | null }>(items: readonly T[]): T[] {
  return items.toSorted(
    (a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0),
  );
}

/** Whether one path is the other or stands inside it. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);

function positionIn(root: SourceMap, open: readonly OpenQuestion[], path: string): Position | null {
  for (let at = path; at !== ''; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    const found = nodeAt(root, at)?.at ?? open.find((question) => question.path === at)?.at;
    if (found !== undefined && found !== null) return found;
  }
  return root.at;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** Takes what is not valid out; of a list, the list. */
function drop(data: unknown, path: readonly PropertyKey[]): void {
  const list = path.findIndex((key) => typeof key === 'number');
  const upTo = list === -1 ? path : path.slice(0, list);
  const holder = valueAt(data, upTo.slice(0, -1));
  const last = upTo.at(-1);
  if (typeof holder === 'object' && holder !== null && last !== undefined)
    delete (holder as Record<PropertyKey, unknown>)[last];
}
