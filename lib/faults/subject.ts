import type { ContractInput, Tool } from '../executor/index.ts';

/** Where the fake downstream can make a request stand still: nothing has happened yet; it happened, no answer left. */
export type HeldAt = 'before_commit' | 'after_commit';

/** A request that stands still at the downstream. */
interface Hold {
  /** Whether a request has arrived and stands there. */
  reached: () => Promise<boolean>;
  /** Lets it go on. */
  release: () => Promise<void>;
}

/**
 * How an answer can be wrong although the effect happened: no JSON, cut off, without its receipt, with a receipt of
 * something else.
 */
export const MALFORMATIONS = ['not_json', 'cut_off', 'no_receipt', 'wrong_receipt'] as const;
export type Malformation = (typeof MALFORMATIONS)[number];

/**
 * What the fake downstream can do to the next write under one key (the key that the tool sends). What it cannot do is
 * left out: the rows that need it say `not_applicable` and why.
 */
interface Injections {
  /** The next write stands still at this point until it is released. */
  hold?: (key: string, at: HeldAt) => Promise<Hold>;
  /** The next write commits, and its connection breaks without a byte of an answer. */
  drop?: (key: string) => Promise<void>;
  /** The next write commits, and is never answered. */
  silence?: (key: string) => Promise<void>;
  /** The next write is refused for now, and nothing is done. */
  notNow?: (key: string) => Promise<void>;
  /** The next write is refused for good, and nothing is done. */
  refuse?: (key: string) => Promise<void>;
  /** The next write commits and is answered wrongly. */
  malform?: (key: string, how: Malformation) => Promise<void>;
  /** The malformations that this tool's contract notices; all of them where it is left out. */
  malformations?: readonly Malformation[];
  /** Somebody else changes the target of these arguments, so that its version is another. */
  changeTarget?: (args: unknown) => Promise<void>;
  /** The job of the next write stands still until `endJob`. */
  holdJob?: (key: string) => Promise<void>;
  /** Ends the job of this key: with its effect, or failed without one. */
  endJob?: (key: string, as: 'succeeded' | 'failed') => Promise<void>;
}

/** A fake downstream in a process of its own, as the runner sees it. */
export interface FakeDownstream extends Injections {
  /** What `FaultSubject.tool` is given in every worker process. */
  url: string;
  /**
   * The references of the business effects that happened under this key, each once, by the downstream's own counter:
   * whatever anybody was answered.
   */
  effects(key: string): Promise<string[]>;
  /** How many writes of this key arrived, whatever became of them. */
  received?: (key: string) => Promise<number>;
  /** The jobs that were accepted under this key. */
  jobs?: (key: string) => Promise<string[]>;
  close(): Promise<void>;
}

/** The times of a contract. */
export type ContractTimes = Partial<
  Pick<
    ContractInput,
    'downstream' | 'lookup' | 'attempts' | 'lease_seconds' | 'recovery_seconds' | 'job_seconds'
  >
>;

/**
 * A tool with a fake downstream, for `npm run faults -- --module FILE`: the file's default export is one of these, or
 * a list. It is loaded in the runner and in every worker process, so loading it must start nothing.
 */
export interface FaultSubject {
  /** The tool's name, as in its contract. */
  name: string;
  /** The tool as it is shipped, sending to the fake downstream. */
  tool(downstreamUrl: string): Tool;
  /** Starts the fake downstream, best as a process of its own. */
  startDownstream(): Promise<FakeDownstream>;
  /**
   * Valid arguments of a new operation, and unlike those of every other one: `unique` is a short text that stands for
   * one operation, for a material field. Equal arguments would be siblings. A target can be made here first.
   */
  arguments(downstream: FakeDownstream, unique: string): Promise<unknown>;
  /** The same arguments with another material value: a changed amount, or another target. */
  changed(args: unknown): unknown;
  /**
   * Shorter times where those of the shipped contract would make the run long. They make another contract, with
   * another digest: the report names both, and the row stands for the shipped one.
   */
  timing?: ContractTimes;
}

/** The subjects of a module. @throws {TypeError} where its default export is none */
export async function loadSubjects(module: string): Promise<FaultSubject[]> {
  const loaded = (await import(module)) as { default?: FaultSubject | FaultSubject[] };
  const subjects = [loaded.default ?? []].flat();
  const isSubject = (one: FaultSubject) =>
    typeof one.name === 'string' &&
    (['tool', 'startDownstream', 'arguments', 'changed'] as const).every(
      (part) => typeof one[part] === 'function',
    );
  if (subjects.length === 0 || !subjects.every(isSubject))
    throw new TypeError(`${module}: its default export must be a FaultSubject or a list of them`);
  return subjects;
}
