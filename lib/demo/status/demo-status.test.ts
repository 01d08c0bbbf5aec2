import { expect, test } from 'vitest';
import { doubled, type DemoStatus } from './demo-status.ts';
import { statusTable } from './status-table.ts';

const status = (most: Record<string, number>): DemoStatus => ({
  by_status: { applied: 2, unknown: 1 },
  stuck_pending: 0,
  cases_open: 1,
  downstream_effects: { tickets: 2, messages: 3 },
  max_effects_per_key: most,
  worker_kills: 12,
  replays: 4,
  rejected: { unauthorized: 1 },
  decisions: 0,
});

test('a key with two effects is named', () => {
  expect(doubled(status({ tickets: 1, payments: 0 }))).toEqual([]);
  expect(doubled(status({ tickets: 1, payments: 2 }))).toEqual(['payments']);
});

test('the table names every count, and says where a resource cannot answer', () => {
  const table = statusTable(status({ tickets: 1 }));
  expect(table).toContain('tickets                                 2   most per key 1');
  expect(table).toContain(
    'messages                                3   cannot be asked, does not deduplicate',
  );
  expect(table).toContain('rejected: unauthorized                  1');
  expect(table).toContain('workers killed                         12');
});
