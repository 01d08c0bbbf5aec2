import { SimulationError, type Schedule } from './schedule.ts';
import type { StoredRow } from './stored-row.ts';

const TERMINAL: readonly string[] = ['applied', 'failed_permanent', 'approved_new_key'];

/**
 * What must hold after every step, whatever happened: at most one effect for each key, `applied` with exactly the
 * effect that it names, no verdict of a machine against an effect, and no effect that the record has lost.
 * @param before the rows as they were checked last
 * @throws {SimulationError} naming what is broken
 */
export function assertInvariants(schedule: Schedule, before: ReadonlyMap<string, StoredRow>): void {
  if (schedule.failure !== null) throw schedule.failure;
  const claimed = new Set<string>();
  for (const row of schedule.store.rows.values()) {
    claimed.add(row.downstream_key ?? row.operation_key);
    const broken = brokenRule(schedule, row) ?? brokenChange(before.get(row.operation_key), row);
    if (broken !== null) throw new SimulationError(`${row.operation_key}: ${broken}`);
  }
  const { effects } = schedule.downstream;
  if (schedule.siblings && effects.length > 1 && schedule.onTrust.size === 0)
    throw new SimulationError('one request under two keys has two effects');
  for (const { key } of effects)
    if (!claimed.has(key)) throw new SimulationError(`an effect of ${key}, which nothing recorded`);
}

function brokenRule(schedule: Schedule, row: StoredRow): string | null {
  const effects = schedule.downstream.effectsOf(row.downstream_key ?? row.operation_key);
  if (effects.length > 1) return `${effects.length} effects of one key`;
  const [effect] = effects;
  switch (row.status) {
    case 'applied':
      if (effect === undefined) return 'applied, and nothing happened';
      return effect.reference === row.effect_reference
        ? null
        : `applied with the receipt ${row.effect_reference}`;
    case 'failed_permanent':
    case 'approved_new_key':
      if (effect === undefined || schedule.onTrust.has(row.operation_key)) return null;
      return `${row.status}, and it happened`;
    case 'pending':
      return effect !== undefined && row.doubt_attempt === null
        ? 'pending without doubt, and it happened'
        : null;
    case 'unknown':
      return null;
  }
}

function brokenChange(was: StoredRow | undefined, is: StoredRow): string | null {
  if (was === undefined || was === is) return null;
  if (is.version < was.version) return 'its version went back';
  if (TERMINAL.includes(was.status) && is.status !== was.status) return `${was.status} became ${is.status}`;
  if (was.effect_reference !== null && was.effect_reference !== is.effect_reference)
    return 'its receipt was lost';
  return null;
}

/** At the end, when everything that could go on has gone on: nothing is stuck. */
export function assertAtRest(schedule: Schedule): void {
  for (const row of schedule.store.rows.values())
    if (row.status === 'pending' && !isWaiting(row))
      throw new SimulationError(`${row.operation_key} is stuck as ${row.pending_reason}`);
}

/** What waits for its delivery, or for a person. */
const isWaiting = (row: StoredRow) =>
  (row.pending_reason === 'ready' && row.doubt_attempt === null) ||
  row.pending_reason === 'awaiting_approval';
