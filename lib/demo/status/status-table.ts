import type { DemoStatus } from './demo-status.ts';

/** The status as a table for people. */
export function statusTable(status: DemoStatus): string {
  const effects = Object.entries(status.downstream_effects).map(([resource, n]): Row => {
    const most = status.max_effects_per_key[resource];
    return [
      resource,
      n,
      most === undefined ? 'cannot be asked, does not deduplicate' : `most per key ${most}`,
    ];
  });
  return [
    section('Operations', [
      ...rowsOf(status.by_status),
      ['cases open', status.cases_open],
      ['stuck pending', status.stuck_pending],
    ]),
    section('Effects at Deskline', effects),
    section('Deliveries', [
      ['replayed', status.replays],
      ...rowsOf(status.rejected).map(([reason, n]): Row => [`rejected: ${reason}`, n]),
    ]),
    section('People and workers', [
      ['decisions', status.decisions],
      ['workers killed', status.worker_kills],
    ]),
  ].join('\n\n');
}

type Row = [label: string, count: number, note?: string];

const rowsOf = (counts: Record<string, number>): Row[] =>
  Object.entries(counts).toSorted(([, left], [, right]) => right - left);

function section(title: string, rows: readonly Row[]): string {
  const lines = rows.map(([label, count, note]) =>
    `  ${label.padEnd(34)}${String(count).padStart(7)}${note === undefined ? '' : `   ${note}`}`.trimEnd(),
  );
  return [title, ...lines].join('\n');
}
