import { desklineControl } from '../deskline/client.ts';
import { EFFECT_RESOURCES, type EffectResource } from '../deskline/resources.ts';
import type { Settings } from '../deskline/settings.ts';
import type { EffectCounts } from '../deskline/store/effects.ts';
import { readCounts, type RecordCounts } from './read-counts.ts';
import type { RunningDemo } from './running-demo.ts';

/** What `npm run demo:status -- --json` prints (DESIGN §11). */
export type DemoStatus = RecordCounts & {
  /** By Deskline's own counters, apart from whatever it answered. */
  downstream_effects: Record<string, number>;
  /** Of the resources that deduplicate or answer lookups; 1 means that nothing happened twice. */
  max_effects_per_key: Record<string, number>;
  worker_kills: number;
};

/** Asks the record, as the auditor, and Deskline what has happened so far. */
export async function demoStatus({ auditorUrl, desklineUrl, workerKills }: RunningDemo): Promise<DemoStatus> {
  const deskline = desklineControl(desklineUrl);
  const [counts, effects, settings] = await Promise.all([
    readCounts(auditorUrl),
    deskline.effects(),
    deskline.config(),
  ]);
  return {
    ...counts,
    downstream_effects: pick(effects, EFFECT_RESOURCES, ({ records }) => records),
    max_effects_per_key: pick(
      effects,
      EFFECT_RESOURCES.filter((resource) => isAnsweredFor(resource, settings)),
      (count) => count.max_effects_per_key,
    ),
    worker_kills: workerKills,
  };
}

/** The resources of which one key had more than one effect. */
export const doubled = ({ max_effects_per_key: most }: DemoStatus): string[] =>
  Object.keys(most).filter((resource) => (most[resource] ?? 0) > 1);

/** Closing a ticket follows the settings of tickets. */
function isAnsweredFor(resource: EffectResource, settings: Settings): boolean {
  const { honours_key: deduplicates, lookup } =
    settings[resource === 'ticket_closures' ? 'tickets' : resource];
  return deduplicates || lookup !== 'none';
}

function pick(
  effects: EffectCounts,
  resources: readonly EffectResource[],
  read: (count: EffectCounts[EffectResource]) => number,
): Record<string, number> {
  return Object.fromEntries(resources.map((resource) => [resource, read(effects[resource])]));
}
