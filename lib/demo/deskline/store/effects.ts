import type { DatabaseSync } from 'node:sqlite';
import { EFFECT_RESOURCES, type EffectResource } from '../resources.ts';

export interface EffectCount {
  records: number;
  notifications: number;
  /** Distinct operation keys that had an effect. Effects without any key are in no key's count. */
  keys: number;
  /** The most records, or the most notifications, that one key caused; 1 means that nothing happened twice. */
  max_effects_per_key: number;
}

export type EffectCounts = Record<EffectResource, EffectCount>;

export interface Effect {
  resource: EffectResource;
  reference: string;
  kind: 'record' | 'notification';
  at: string;
}

/** Counts one business effect: the record, and the notice that goes out with it. Call it inside the commit. */
export function countEffect(
  db: DatabaseSync,
  effect: {
    resource: EffectResource;
    operationKey: string | null;
    reference: string;
    notifies: boolean;
    at: number;
  },
): void {
  const insert = db.prepare(
    'insert into effects (resource, operation_key, reference, kind, at) values (?, ?, ?, ?, ?)',
  );
  for (const kind of effect.notifies ? ['record', 'notification'] : ['record']) {
    insert.run(effect.resource, effect.operationKey, effect.reference, kind, effect.at);
  }
}

export function countEffects(db: DatabaseSync): EffectCounts {
  const total = db.prepare(`
    select count(*) filter (where kind = 'record') as records,
           count(*) filter (where kind = 'notification') as notifications,
           count(distinct operation_key) as keys
    from effects where resource = ?`);
  const most = db.prepare(`
    select coalesce(max(n), 0) as most from (
      select count(*) as n from effects
      where resource = ? and operation_key is not null group by operation_key, kind)`);
  const countOf = (resource: EffectResource): EffectCount => {
    const row = total.get(resource);
    return {
      records: Number(row?.['records']),
      notifications: Number(row?.['notifications']),
      keys: Number(row?.['keys']),
      max_effects_per_key: Number(most.get(resource)?.['most']),
    };
  };
  return Object.fromEntries(
    EFFECT_RESOURCES.map((resource) => [resource, countOf(resource)]),
  ) as EffectCounts;
}

export function effectsOfKey(db: DatabaseSync, operationKey: string): Effect[] {
  return db
    .prepare('select resource, reference, kind, at from effects where operation_key = ? order by number')
    .all(operationKey)
    .map((row) => ({
      resource: row['resource'] as EffectResource,
      reference: String(row['reference']),
      kind: row['kind'] as Effect['kind'],
      at: new Date(Number(row['at'])).toISOString(),
    }));
}
