/** One thing that is wrong with a contract: where, and a sentence that says what and what to do. */
export interface ContractProblem {
  /** Dotted path in the contract, such as `downstream.key_window_seconds`; empty for the whole. */
  path: string;
  sentence: string;
  /** The stated field that makes it wrong, where `path` itself is missing. */
  cause?: string;
  /** It is a question without an answer rather than a wrong answer: in a draft, an open decision. */
  asks?: true;
}

/** Thrown at definition or registration, never during a call; `problems` has all of them. */
export class InvalidContract extends Error {
  override readonly name = 'InvalidContract';
  readonly problems: readonly ContractProblem[];

  constructor(contract: string, problems: readonly ContractProblem[]) {
    super([`The contract ${contract} cannot be used.`, ...problems.map(line)].join('\n'));
    this.problems = problems;
  }
}

function line({ path, sentence }: ContractProblem): string {
  return path === '' ? `- ${sentence}` : `- ${path}: ${sentence}`;
}
