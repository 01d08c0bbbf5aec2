import { contractDigest } from '../contract-digest.ts';
import type { Contract } from '../contract.ts';
import { readContract } from '../define-contract.ts';
import { InvalidContract } from '../invalid-contract.ts';
import type { Stated } from '../stated.ts';
import { DocumentReading } from './document-reading.ts';
import { readSource } from './read-source.ts';
import { plainOf, sourceOf, type Position, type SourceMap } from './source.ts';

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
  place: (path: string) => Position | null;
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
  const reading = new DocumentReading(root);
  const plain = { ...DEFAULTS, ...(plainOf(root) as object) };
  const stated = reading.readFields(plain);
  reading.readRules(stated);
  if (stated.effect_class !== 'read') reading.askForReview(plain);
  const { wrong, open } = reading;
  const contract = wrong.length + open.length === 0 ? readContract(plain) : null;
  return {
    file,
    readable: true,
    stated,
    errors: inOrder(wrong).map(({ path, at, sentence }) => finding(path, at, sentence)),
    open: inOrder(open).map(({ path, at, question }) => finding(path, at, question)),
    contract,
    digest: contract && contractDigest(contract),
    place: (path) => reading.place(path),
  };
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
