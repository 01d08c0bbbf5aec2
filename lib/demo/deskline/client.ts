import type { FaultRuleState, NewFaultRule } from './fault-rules.ts';
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
  clearFaults(): Promise<void>;
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
    clearFaults: async () => {
      await ask('DELETE', 'faults');
    },
    reset: async () => {
      await ask('POST', 'reset');
    },
  };
}
