import type { GrowthRow } from './growth.ts';
import type { BenchRow } from './works.ts';

export function worksTable(rows: readonly BenchRow[]): string {
  return table([
    ['work', 'concurrent', 'per second', 'p50 ms', 'p99 ms', 'to floor', 'p50 to floor'],
    ...rows.map((row) => [
      row.work,
      String(row.concurrency),
      String(row.per_second),
      String(row.p50_ms),
      String(row.p99_ms),
      `${row.ratio_to_floor.toFixed(2)} x`,
      `${row.p50_ratio_to_floor.toFixed(2)} x`,
    ]),
  ]);
}

export function growthTable(growth: readonly GrowthRow[]): string {
  const empty = growth[0]?.per_second ?? Number.NaN;
  return table([
    ['rows', 'first calls per second', 'to the empty table'],
    ...growth.map(({ rows, per_second: rate }) => [
      String(rows),
      String(rate),
      `${(rate / empty).toFixed(2)} x`,
    ]),
  ]);
}

function table(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
