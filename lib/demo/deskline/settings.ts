import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { RESOURCES, type Resource } from './resources.ts';
import { atomically } from './store/open-store.ts';

const milliseconds = z
  .int()
  .min(0)
  .max(365 * 86_400_000);

const resourceSettings = z.strictObject({
  /** Whether a repeated Idempotency-Key returns the first answer instead of a second effect. */
  honours_key: z.boolean(),
  /** `none` closes /lookup and the list (404); reading one row by its id stays. */
  lookup: z.enum(['by_key', 'none']),
  /** A committed row shows in /lookup by key and in the list only after this time. */
  index_lag_ms: milliseconds,
  /** All reads answer 503. */
  down: z.boolean(),
  /** How long an honoured key is remembered. */
  key_window_ms: milliseconds,
  /** A write is accepted (202) as a job that takes so long; null performs it at once. */
  job_ms: milliseconds.nullable(),
});

export type ResourceSettings = z.infer<typeof resourceSettings>;
export type Settings = Record<Resource, ResourceSettings>;
export type SettingsPatch = { [R in Resource]?: Partial<ResourceSettings> };

/** A change of settings as it comes over the wire: any resources, any of their fields. */
export const settingsPatch = z.partialRecord(z.enum(RESOURCES), resourceSettings.partial());

const usual: ResourceSettings = {
  honours_key: true,
  lookup: 'by_key',
  index_lag_ms: 0,
  down: false,
  key_window_ms: 86_400_000,
  job_ms: null,
};

const DEFAULTS: Settings = {
  tickets: usual,
  payments: { ...usual, honours_key: false },
  refunds: usual,
  messages: { ...usual, honours_key: false, lookup: 'none' },
  invoices: { ...usual, job_ms: 2_000 },
};

export function readSettings(db: DatabaseSync): Settings {
  const settings = { ...DEFAULTS };
  const stored = db.prepare('select value from settings where resource = ?');
  for (const resource of RESOURCES) {
    const row = stored.get(resource);
    // what an older Deskline stored lacks what was added since
    const changed = row ? (JSON.parse(String(row['value'])) as Partial<ResourceSettings>) : {};
    settings[resource] = resourceSettings.parse({ ...DEFAULTS[resource], ...changed });
  }
  return settings;
}

export function changeSettings(db: DatabaseSync, patch: z.infer<typeof settingsPatch>): Settings {
  return atomically(db, () => {
    const settings = readSettings(db);
    const store = db.prepare('insert or replace into settings (resource, value) values (?, ?)');
    for (const resource of RESOURCES) {
      if (!patch[resource]) continue;
      settings[resource] = resourceSettings.parse({ ...settings[resource], ...patch[resource] });
      store.run(resource, JSON.stringify(settings[resource]));
    }
    return settings;
  });
}
