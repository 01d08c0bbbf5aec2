import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { parseFaults, type Fault } from './faults.ts';
import { EFFECT_RESOURCES, type EffectResource } from './resources.ts';
import { atomically } from './store/open-store.ts';

const faultRule = z.strictObject({
  resource: z.enum([...EFFECT_RESOURCES, '*']).default('*'),
  /** Whether the rule meets requests that write or those that read. */
  on: z.enum(['write', 'lookup']).default('write'),
  /** As in the header: `name[=argument]`, several by commas. */
  fault: z.string().superRefine((text, context) => {
    const parsed = parseFaults(text);
    if (typeof parsed === 'string') context.addIssue({ code: 'custom', message: parsed });
  }),
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().default(0),
  /** How often it fires at most; null is without end. */
  times: z.int().positive().nullable().default(null),
  key_prefix: z.string().default(''),
});

export const faultRules = z.strictObject({ rules: z.array(faultRule).max(100) });
export type FaultRule = z.infer<typeof faultRule>;
export type NewFaultRule = z.input<typeof faultRule>;
export type FaultRuleState = FaultRule & { fired: number };

export interface FaultTarget {
  resource: EffectResource;
  on: 'write' | 'lookup';
  key: string | null;
}

export function replaceFaultRules(db: DatabaseSync, rules: FaultRule[]): void {
  atomically(db, () => {
    db.exec('delete from fault_rules; delete from fault_draws');
    insertRules(db, rules);
  });
}

/** Puts rules behind those that are there: bearers of different keys do not take each other's away. */
export function addFaultRules(db: DatabaseSync, rules: FaultRule[]): void {
  atomically(db, () => insertRules(db, rules));
}

function insertRules(db: DatabaseSync, rules: FaultRule[]): void {
  const insert = db.prepare(
    'insert into fault_rules (position, rule) select coalesce(max(position) + 1, 0), ? from fault_rules',
  );
  for (const rule of rules) insert.run(JSON.stringify(rule));
}

export function readFaultRules(db: DatabaseSync): FaultRuleState[] {
  return db
    .prepare('select rule, fired from fault_rules order by position')
    .all()
    .map((row) => ({ ...faultRule.parse(JSON.parse(String(row['rule']))), fired: Number(row['fired']) }));
}

/** The faults of the first rule that meets this request and fires; none if no rule does. */
export function drawFaults(db: DatabaseSync, target: FaultTarget): Fault[] {
  const rules = readFaultRules(db);
  if (rules.length === 0) return [];
  return atomically(db, () => {
    const position = rules.findIndex((rule, at) => meets(rule, target) && fires(db, rule, at, target));
    const faults = parseFaults(rules[position]?.fault ?? 'none');
    db.prepare('update fault_rules set fired = fired + 1 where position = ?').run(position);
    return typeof faults === 'string' ? [] : faults;
  });
}

function meets(rule: FaultRuleState, target: FaultTarget): boolean {
  return (
    rule.on === target.on &&
    (rule.resource === '*' || rule.resource === target.resource) &&
    (rule.times === null || rule.fired < rule.times) &&
    (target.key ?? '').startsWith(rule.key_prefix)
  );
}

/** The n-th request of a key draws the same for the same seed, however the requests of other keys interleave. */
function fires(db: DatabaseSync, rule: FaultRule, position: number, target: FaultTarget): boolean {
  if (rule.probability === 1) return true;
  const key = target.key ?? '';
  const row = db
    .prepare(
      `insert into fault_draws (position, key, draws) values (?, ?, 1)
       on conflict (position, key) do update set draws = draws + 1 returning draws`,
    )
    .get(position, `${target.resource} ${key}`);
  const digest = createHash('sha256')
    .update(JSON.stringify([rule.seed, rule.fault, target.resource, key, Number(row?.['draws'])]))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32 < rule.probability;
}
