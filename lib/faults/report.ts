import type { PlainJson } from '../executor/identity/plain-json.ts';

/** `not_applicable` is no pass: the row says why nothing could be played. */
export type Verdict = 'passed' | 'failed' | 'not_applicable';

/** One play of a row. */
export interface PlayedTiming {
  name: string;
  seed: number;
  verdict: Verdict;
  observed: string;
  /** Business effects under the keys of this play, by the downstream's own counter. */
  effects: number;
  /** What did not hold; empty where it passed. */
  failed: string[];
  seconds: number;
  evidence: RowEvidence;
}

/** What a reviewer needs to follow one play: no payload stands in it. */
export interface RowEvidence {
  operation_key: string;
  fingerprint: string | null;
  receipt: string | null;
  final_state: { [column: string]: PlainJson };
  /** The kinds of the trace's rows, oldest first; equal neighbours once. */
  trace: string[];
  /** What else the row asks to keep. */
  [name: string]: PlainJson;
}

/** A row of the report (DESIGN §11). */
export interface ReportRow {
  id: string;
  scenario: string;
  expected: string;
  observed: string;
  /** Of the first timing, or of the first that failed. */
  effects: number;
  passed: boolean;
  verdict: Verdict;
  /** Of the first timing, or of the first that failed; null where none was played. */
  evidence: RowEvidence | null;
  timings: Omit<PlayedTiming, 'evidence'>[];
}

/** The run of one tool: the artifact of a release review. */
export interface FaultReport {
  tool: string;
  tool_version: string;
  /** Of the contract as it is shipped. */
  contract_digest: string;
  /** Of the contract that was played; another one only where the subject states shorter times. */
  played_digest: string;
  started_at: string;
  seconds: number;
  passed: boolean;
  rows: ReportRow[];
}

/** One row of all its plays; it passes when every timing that could be played did. */
export function rowOf(
  row: { id: string; scenario: string; expected: string },
  plays: readonly PlayedTiming[],
): ReportRow {
  const shown =
    plays.find(({ verdict }) => verdict === 'failed') ?? plays.find(({ verdict }) => verdict === 'passed');
  const verdict = shown?.verdict ?? 'not_applicable';
  return {
    id: row.id,
    scenario: row.scenario,
    expected: row.expected,
    observed: shown === undefined ? (plays[0]?.observed ?? 'nothing was played') : observedOf(shown),
    effects: shown?.effects ?? 0,
    passed: verdict === 'passed',
    verdict,
    evidence: shown?.evidence ?? null,
    timings: plays.map(({ evidence: _evidence, ...timing }) => timing),
  };
}

const observedOf = ({ observed, failed }: PlayedTiming) =>
  failed.length === 0 ? observed : `${observed}; did not hold: ${failed.join('; ')}`;

/**
 * Whether a run counts as a passed one: something was played, nothing failed, and every row that the contract names
 * among its tests was played.
 */
export const isPassed = (rows: readonly ReportRow[], named: readonly string[]): boolean =>
  rows.some(({ passed }) => passed) &&
  rows.every(({ verdict }) => verdict !== 'failed') &&
  named.every((id) => rows.some((row) => row.id === id && row.passed));
