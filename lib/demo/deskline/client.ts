import type { FaultRuleState, NewFaultRule } from './fault-rules.ts';
import type { HeldAt, HeldRequest } from './holds.ts';
import type { Resource } from './resources.ts';
import type { Settings, SettingsPatch } from './settings.ts';
import type { Effect, EffectCounts } from './store/effects.ts';

export interface DesklineControl {
  health(): Promise<{ status: 'ok'; pid: number }>;
  /** The counters of all resources, apart from anything that callers were answered. */
  effects(): Promise<EffectCounts>;
  /** The effects of one Idempotency-Key or client reference, honoured or not. */
  effectsFor(key: string): Promise<Effect[]>;
  config(): Promise<Settings>;
  setConfig(patch: SettingsPatch): Promise<Settings>;
  faults(): Promise<FaultRuleState[]>;
  /** Replaces all rules; their counts begin anew. */
  setFaults(rules: NewFaultRule[]): Promise<FaultRuleState[]>;
  /** Puts rules behind those that are there. */
  addFaults(rules: NewFaultRule[]): Promise<FaultRuleState[]>;
  clearFaults(): Promise<void>;
  /** How many writes of this key were received since the start, whatever became of them. */
  received(key: string): Promise<number>;
  /** The requests that stand still. */
  held(): Promise<HeldRequest[]>;
  /** Lets the requests of a key go on that stand at this point; answers how many. */
  release(key: string, at: HeldAt): Promise<number>;
  /** Ends the running jobs of a key now; answers how many. */
  endJobs(key: string, as: 'succeeded' | 'failed'): Promise<number>;
  /** Somebody else changes this record: its version goes up by one. */
  revise(resource: Resource, id: string): Promise<{ version: number }>;
  reset(): Promise<void>;
}

/** The control side of a Deskline at `url`. Rejects with the service's code and sentence when it refuses. */
export function desklineControl(url: string): DesklineControl {
  // The answers are trusted: both ends are of one repository and version.
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/control/${path}`, {
      method,
      headers: { 'x-deskline-control': '1', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const answer = (await response.json()) as T & { error?: { code: string; message: string } };
    if (!response.ok) {
      throw new Error(`Deskline ${method} ${path}: ${answer.error?.code}: ${answer.error?.message}`);
    }
    return answer;
  }

  return {
    health: () => ask('GET', 'health'),
    effects: async () => (await ask<{ by_resource: EffectCounts }>('GET', 'effects')).by_resource,
    effectsFor: async (key) =>
      (await ask<{ effects: Effect[] }>('GET', `effects?key=${encodeURIComponent(key)}`)).effects,
    config: () => ask('GET', 'config'),
    setConfig: (patch) => ask('PUT', 'config', patch),
    faults: async () => (await ask<{ rules: FaultRuleState[] }>('GET', 'faults')).rules,
    setFaults: async (rules) => (await ask<{ rules: FaultRuleState[] }>('PUT', 'faults', { rules })).rules,
    addFaults: async (rules) => (await ask<{ rules: FaultRuleState[] }>('POST', 'faults', { rules })).rules,
    received: async (key) =>
      (await ask<{ requests: number }>('GET', `received?key=${encodeURIComponent(key)}`)).requests,
    held: async () => (await ask<{ held: HeldRequest[] }>('GET', 'holds')).held,
    release: async (key, at) => (await ask<{ released: number }>('POST', 'release', { key, at })).released,
    endJobs: async (key, as) => (await ask<{ ended: number }>('POST', 'end-jobs', { key, as })).ended,
    revise: (resource, id) => ask('POST', 'revise', { resource, id }),
    clearFaults: async () => {
      await ask('DELETE', 'faults');
    },
    reset: async () => {
      await ask('POST', 'reset');
    },
  };
}
