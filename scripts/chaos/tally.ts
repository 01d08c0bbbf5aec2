import { Client } from 'pg';
import type { MortalCluster } from '../../db/testing/mortal-cluster.ts';
import type { DesklineControl } from '../../lib/demo/deskline/client.ts';
import type { Step } from './step.ts';
import { DOWNSTREAM, KINDS, type Kind } from './tools.ts';

/** A receipt that a caller was given. */
export interface Acknowledged {
  key: string;
  reference: string | null;
}

export interface TallyRow {
  kind: Kind;
  downstream: string;
  keys: number;
  /** How many keys have how many effects, counted at the downstream. */
  effects_per_key: Record<string, number>;
  /** How many keys ended how. */
  states: Record<string, number>;
}

export interface Tally {
  rows: TallyRow[];
  /** One sentence for each promise that was broken. */
  violations: string[];
  /** What happened to those keys, and to what ended unknown although it can be asked for; by both sides' clocks. */
  traces: Record<string, unknown>;
}

/** Counts effects where they happened, and compares them with what the operations say and callers were told. */
export async function tally(
  cluster: MortalCluster,
  control: DesklineControl,
  steps: readonly Step[],
  acknowledged: readonly Acknowledged[],
): Promise<Tally> {
  const operations = await readOperations(cluster);
  const violations: string[] = [];
  const doubtful: string[] = [];
  const rows = KINDS.map((kind) => ({
    kind,
    downstream: DOWNSTREAM[kind],
    keys: 0,
    effects_per_key: {} as Record<string, number>,
    states: {} as Record<string, number>,
  }));
  for (const { kind, key } of steps) {
    const row = rows[KINDS.indexOf(kind)] as TallyRow;
    const references = (await control.effectsFor(key))
      .filter((effect) => effect.kind === 'record')
      .map(({ reference }) => reference);
    const operation = operations.get(key);
    const state = operation?.status ?? 'no operation';
    if (state === 'unknown' && kind !== 'messages') doubtful.push(key);
    row.keys += 1;
    row.effects_per_key[references.length] = (row.effects_per_key[references.length] ?? 0) + 1;
    row.states[state] = (row.states[state] ?? 0) + 1;
    violations.push(...brokenBy(kind, key, references, state, operation?.effect_reference ?? null));
  }
  for (const { key, reference } of acknowledged) {
    const operation = operations.get(key);
    if (operation?.status !== 'applied' || operation.effect_reference !== reference)
      violations.push(`${key}: the receipt ${reference} was given to a caller and is lost`);
  }
  const traces: Tally['traces'] = {};
  const broken = steps.filter((step) => violations.some((said) => said.startsWith(`${step.key}:`)));
  for (const key of [...broken.map((step) => step.key), ...doubtful])
    traces[key] = { effects: await control.effectsFor(key), events: await readTrace(cluster, key) };
  return { rows, violations, traces };
}

/** What this key's end breaks: at most one effect, applied with its receipt, and an end that somebody can act on. */
function brokenBy(
  kind: Kind,
  key: string,
  references: readonly string[],
  state: string,
  reference: string | null,
): string[] {
  const said: string[] = [];
  if (references.length > 1) said.push(`${key}: ${references.length} effects`);
  if (state === 'applied' && references.length === 0) said.push(`${key}: applied with no effect`);
  if (state === 'applied' && reference !== references[0]) said.push(`${key}: applied with another receipt`);
  if (state !== 'applied' && state !== 'unknown') said.push(`${key}: ended ${state}`);
  if (kind !== 'messages' && references.length !== 1)
    said.push(`${key}: ${references.length} effects although its downstream ${DOWNSTREAM[kind]}`);
  return said;
}

/** Every operation's status and receipt, by key. */
export async function readOperations(cluster: MortalCluster) {
  const rows = await readRows<{ operation_key: string; status: string; effect_reference: string | null }>(
    cluster,
    'select operation_key, status, effect_reference from tool_operations',
  );
  return new Map(rows.map((row) => [row.operation_key, row]));
}

const readTrace = (cluster: MortalCluster, key: string) =>
  readRows(
    cluster,
    `select at, kind, attempt, to_status, to_pending_reason, reason, worker, detail, steps
       from tool_operation_events where operation_key = $1 order by event_id`,
    [key],
  );

/** As superuser, where no rule of ours stands in between. */
async function readRows<Row extends object>(
  cluster: MortalCluster,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: cluster.urls.superuser });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** The table that people read. */
export function tallyTable({ rows }: Tally): string {
  const counts = (given: Record<string, number>) =>
    Object.entries(given)
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  const lines = [
    ['tool kind', 'downstream', 'keys', 'effects per key', 'ended'],
    ...rows.map((row) => [
      row.kind,
      row.downstream,
      String(row.keys),
      counts(row.effects_per_key),
      counts(row.states),
    ]),
  ];
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length))) ?? [];
  return lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ')).join('\n');
}
