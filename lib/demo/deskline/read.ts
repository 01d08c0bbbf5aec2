import { z } from 'zod';
import type { Desk } from './desk.ts';
import { exchange } from './exchange.ts';
import type { DeskRequest } from './receive.ts';
import { answer, failure, invalid, type Answer, type Reply } from './replies.ts';
import { DEFINITIONS, type Resource } from './resources.ts';
import { readSettings, type ResourceSettings } from './settings.ts';
import { findJob, jobsOfKey } from './store/jobs.ts';
import { findById, findByKey, listRecords, type DesklineRecord } from './store/records.ts';

/**
 * GET /lookup/:resource?key= or ?reference=: found with the oldest record and the ids of all, or absent.
 * By key it knows only what the index has caught up with; `as_of` is that instant. A reference is read directly.
 */
export function lookUp(desk: Desk, request: DeskRequest, resource: Resource): Promise<Reply> {
  const key = request.query.get('key');
  const reference = request.query.get('reference');
  return read(desk, request, resource, key, ({ lookup, index_lag_ms }) => {
    if (lookup === 'none') return noLookup(resource);
    if (!key === !reference) return failure(422, 'invalid_request', 'Ask by key or by reference');
    const visibleUntil = desk.now() - index_lag_ms;
    if (key) return evidence(findByKey(desk.db, resource, key, visibleUntil), visibleUntil);
    const record = findById(desk.db, resource, reference ?? '');
    return evidence(record ? [record] : [], desk.now());
  });
}

/** GET /:resource/:id: the record as it is now, without index lag. */
export function readOne(desk: Desk, request: DeskRequest, resource: Resource, id: string): Promise<Reply> {
  return read(desk, request, resource, null, () => {
    const record = findById(desk.db, resource, id);
    if (!record) return failure(404, 'not_found', 'There is no such record');
    return answer(200, record, { etag: `"${record.version}"` });
  });
}

/** GET /jobs/:id: the job as it is now; once it has succeeded, with the record of its effect. */
export function readJob(desk: Desk, request: DeskRequest, id: string): Promise<Reply> | Reply {
  const known = findJob(desk.db, id);
  if (!known) return failure(404, 'not_found', 'There is no such job');
  return read(desk, request, known.resource, known.idempotency_key ?? known.client_reference, () => {
    const job = findJob(desk.db, id);
    return job ? answer(200, { ...job }) : failure(404, 'not_found', 'There is no such job');
  });
}

/** GET /jobs?key=: the jobs of one key (either one), oldest first. */
export function listJobs(desk: Desk, request: DeskRequest): Promise<Reply> | Reply {
  const key = request.query.get('key');
  if (!key) return failure(422, 'invalid_request', 'Ask by key');
  const [first] = jobsOfKey(desk.db, key);
  if (!first) return answer(200, { items: [] });
  return read(desk, request, first.resource, key, () => answer(200, { items: jobsOfKey(desk.db, key) }));
}

const page = z.object({
  after: z.string().default(''),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  key_prefix: z.string().max(1024).default(''),
});

/** GET /:resource?after=&limit=&key_prefix=: oldest first, as far as the index has caught up; `next` is null on the last page. */
export function list(desk: Desk, request: DeskRequest, resource: Resource): Promise<Reply> {
  return read(desk, request, resource, null, ({ lookup, index_lag_ms }) => {
    if (lookup === 'none') return noLookup(resource);
    const asked = page.safeParse(Object.fromEntries(request.query));
    if (!asked.success) return invalid(asked.error);
    const { after, limit, key_prefix: keyPrefix } = asked.data;
    const [prefix, number] = after.split('_');
    if (after !== '' && (prefix !== DEFINITIONS[resource].prefix || !/^\d{1,15}$/.test(number ?? ''))) {
      return failure(422, 'invalid_request', 'after: is not a cursor of this list');
    }
    const records = listRecords(desk.db, resource, {
      after: Number(number ?? 0),
      limit: limit + 1,
      keyPrefix,
      visibleUntil: desk.now() - index_lag_ms,
    });
    const items = records.slice(0, limit);
    return answer(200, { items, next: records.length > limit ? (items.at(-1)?.id ?? null) : null });
  });
}

function read(
  desk: Desk,
  request: DeskRequest,
  resource: Resource,
  key: string | null,
  perform: (settings: ResourceSettings) => Answer,
): Promise<Reply> {
  return exchange(desk, request, { resource, on: 'lookup', key }, async (playFaults) => {
    const early = await playFaults();
    if (early) return early;
    const settings = readSettings(desk.db)[resource];
    if (settings.down) {
      return failure(503, 'lookup_unavailable', 'Reading is down', { 'retry-after': '1' });
    }
    return perform(settings);
  });
}

function evidence(records: DesklineRecord[], asOf: number): Answer {
  const [record] = records;
  if (!record) return answer(200, { status: 'absent', as_of: new Date(asOf).toISOString() });
  return answer(200, { status: 'found', record, references: records.map(({ id }) => id) });
}

function noLookup(resource: Resource): Answer {
  return failure(404, 'no_lookup', `${resource} cannot be looked up`);
}
