import { setTimeout as sleep } from 'node:timers/promises';
import { desklineControl } from '../deskline/client.ts';
import type { NewFaultRule } from '../deskline/fault-rules.ts';
import type { EffectResource } from '../deskline/resources.ts';
import type { ToolName } from './plan/step.ts';

/** How Deskline is made to misbehave for single operations, and for the lookup of refunds as a whole. */
export type Misbehaviour = {
  /** From now on the writes of this key meet the fault, so many times; null is without end. */
  arrange: (key: string, tool: ToolName, fault: string, times: number | null) => Promise<void>;
  /** Takes the key's fault back. */
  retire: (key: string) => Promise<void>;
  /** Reads of refunds are down until everybody who wants that has let go. */
  holdLookupDown: (key: string) => Promise<void>;
  releaseLookup: (key: string) => Promise<void>;
};

const RESOURCE_OF: Record<ToolName, EffectResource> = {
  'tickets.create': 'tickets',
  'tickets.close': 'ticket_closures',
  'payments.charge': 'payments',
  'refunds.create': 'refunds',
  'messages.send': 'messages',
};
/** Shorter than the settle windows of the contracts, as those promise. */
const INDEX_LAG_MS = 1_500;
const AWAY_MS = 1_000;

/** Brings a Deskline at `url` into its usual order: no faults, lookups up, payments and refunds indexed a little late. */
export async function startMisbehaviour(url: string, signal: AbortSignal): Promise<Misbehaviour> {
  const control = desklineControl(url);
  const rules = new Map<string, NewFaultRule & { times: number | null }>();
  const holders = new Set<string>();
  let last = Promise.resolve();
  /** One change after the other, since each replaces all rules; again while Deskline is away. */
  const inTurn = (change: () => Promise<unknown>): Promise<void> => {
    const persist = async () => {
      while (true) {
        signal.throwIfAborted();
        try {
          await change();
          return;
        } catch {
          await sleep(AWAY_MS, undefined, { signal });
        }
      }
    };
    const done = last.then(persist);
    last = done.catch(() => {});
    return done;
  };

  /** A replaced rule counts anew, so what has fired already is taken off. */
  const replaceRules = async (change: () => void) => {
    for (const { key_prefix: key, fired } of await control.faults()) {
      const rule = rules.get(key);
      if (rule === undefined || rule.times === null) continue;
      if (rule.times > fired) rules.set(key, { ...rule, times: rule.times - fired });
      else rules.delete(key);
    }
    change();
    await control.setFaults([...rules.values()]);
  };
  const setDown = () => control.setConfig({ refunds: { down: holders.size > 0 } });

  await control.clearFaults();
  await control.setConfig({
    payments: { index_lag_ms: INDEX_LAG_MS },
    refunds: { index_lag_ms: INDEX_LAG_MS, down: false },
  });
  return {
    arrange: (key, tool, fault, times) =>
      inTurn(() =>
        replaceRules(() =>
          rules.set(key, { resource: RESOURCE_OF[tool], on: 'write', fault, times, key_prefix: key }),
        ),
      ),
    retire: (key) =>
      inTurn(() => (rules.has(key) ? replaceRules(() => rules.delete(key)) : Promise.resolve())),
    holdLookupDown: (key) =>
      inTurn(async () => {
        holders.add(key);
        await setDown();
      }),
    releaseLookup: (key) =>
      inTurn(async () => {
        if (holders.delete(key)) await setDown();
      }),
  };
}
