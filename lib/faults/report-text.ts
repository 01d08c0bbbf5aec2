import type { GateAnswer } from './gate.ts';
import type { FaultReport, ReportRow, Verdict } from './report.ts';

const COLUMNS = [
  ['row', 6],
  ['scenario', 30],
  ['expected', 34],
  ['observed', 40],
  ['effects', 7],
  ['passed', 14],
] as const;

const WORD: Record<Verdict, string> = {
  passed: 'passed',
  failed: 'FAILED',
  not_applicable: 'not applicable',
};

/** The run as text for a release review: the table, then the evidence of each row. */
export function reportText(report: FaultReport): string {
  const count = (verdict: Verdict) => report.rows.filter((row) => row.verdict === verdict).length;
  const { tool, tool_version: version, contract_digest: digest, played_digest: played } = report;
  return [
    `${tool} ${version}: ${report.passed ? 'passed' : 'FAILED'}`,
    `contract ${digest}`,
    ...(played === digest ? [] : [`played with shorter times, contract ${played}`]),
    `started ${report.started_at}, ${report.seconds} s; ${count('passed')} rows passed, ${count('failed')} failed, ${count('not_applicable')} not applicable`,
    '',
    line(COLUMNS.map(([name]) => name)),
    COLUMNS.map(([, width]) => '-'.repeat(width)).join('  '),
    ...report.rows.map((row) =>
      line([row.id, row.scenario, row.expected, row.observed, String(row.effects), WORD[row.verdict]]),
    ),
    '',
    'Evidence (effects are counted by the downstream; no payloads)',
    ...report.rows.flatMap(evidenceText),
  ].join('\n');
}

function evidenceText({ id, evidence, timings }: ReportRow): string[] {
  if (evidence === null) return [];
  const { operation_key: key, fingerprint, receipt, final_state: state, trace, ...more } = evidence;
  const name = (label: string) => `        ${label.padEnd(13)}`;
  return [
    `  ${id.padEnd(6)}${timings.map(({ name: timing, verdict }) => `${timing}: ${WORD[verdict]}`).join('\n        ')}`,
    `${name('key')}${key}`,
    `${name('fingerprint')}${fingerprint ?? 'none'}`,
    `${name('receipt')}${receipt ?? 'none'}`,
    `${name('final state')}${stateText(state)}`,
    `${name('trace')}${trace.join(', ')}`,
    ...Object.entries(more).map(([label, value]) => `${name(label)} ${JSON.stringify(value)}`),
  ];
}

const stateText = (state: { [column: string]: unknown }) =>
  Object.entries(state)
    .filter(([, value]) => value !== null && value !== false)
    .map(([column, value]) => `${column} ${String(value)}`)
    .join(', ') || 'no record';

/** One row of the table, as many lines as its longest cell takes. */
function line(cells: readonly string[]): string {
  const wrapped = COLUMNS.map(([, width], i) => wrap(cells[i] ?? '', width));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    COLUMNS.map(([, width], i) => (wrapped[i]?.[at] ?? '').padEnd(width))
      .join('  ')
      .trimEnd(),
  ).join('\n');
}

/** Breaks at spaces; a word that is longer than the width is cut. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text
    .split(/\s+/)
    .flatMap((whole) => whole.match(new RegExp(`.{1,${width}}`, 'g')) ?? [])) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const gateText = (answers: readonly GateAnswer[]): string =>
  answers
    .map(({ tool, contract_digest: digest, age_days: age, max_age_days: most, open }) => {
      const seen = age === null ? 'no run of this contract passed' : `passed ${age.toFixed(1)} days ago`;
      return `${open ? 'open  ' : 'CLOSED'}  ${tool.padEnd(24)} ${seen} (at most ${most} days)  ${digest}`;
    })
    .join('\n');
