import { createHash } from 'node:crypto';
import type { Desk } from './desk.ts';
import { exchange } from './exchange.ts';
import type { Fault } from './faults.ts';
import type { DeskRequest } from './receive.ts';
import { answer, failure, invalid, isSuccess, type Answer, type Reply } from './replies.ts';
import { closeBody, DEFINITIONS, keyText, type EffectResource, type Resource } from './resources.ts';
import { readSettings } from './settings.ts';
import { atomically } from './store/open-store.ts';
import { acceptJob, type JobPlan } from './store/jobs.ts';
import { closeTicket, insertRecord, operationKeyOf, type Identity } from './store/records.ts';
import { recall, remember } from './store/remembered-keys.ts';

/** A valid request for an effect, ready to be performed any number of times. */
interface Write {
  resource: EffectResource;
  identity: Identity;
  requestHash: string;
  /** Whose settings say whether the key is honoured. */
  settingsOf: Resource;
  /** At once, or as the job that the settings or the faults plan. */
  perform: (now: number, job: JobPlan | null) => Answer;
}

/** POST /:resource: 201 with the new record, or 202 with the job that will make it. */
export function create(desk: Desk, request: DeskRequest, resource: Resource): Promise<Reply> | Reply {
  const body = DEFINITIONS[resource].body.safeParse(request.body);
  if (!body.success) return invalid(body.error);
  const { client_reference: clientReference, ...fields } = body.data;
  const identity = readIdentity(request, clientReference);
  if ('kind' in identity) return identity;
  return write(desk, request, {
    resource,
    identity,
    requestHash: hash([resource, body.data]),
    settingsOf: resource,
    perform: (now, job) =>
      job === null
        ? answer(201, insertRecord(desk.db, resource, fields, identity, now))
        : answer(202, acceptJob(desk.db, resource, fields, identity, job, now)),
  });
}

/** POST /tickets/:id/close: 200 with the ticket, 412 when it is not at the version that was expected. */
export function close(desk: Desk, request: DeskRequest, id: string): Promise<Reply> | Reply {
  const body = closeBody.safeParse(request.body);
  if (!body.success) return invalid(body.error);
  const ifMatch = /^(?:"?(\d{1,9})"?|\*)$/.exec(request.header('if-match') ?? '*');
  if (!ifMatch) return failure(422, 'invalid_request', 'If-Match: must be a version');
  const version = ifMatch[1] === undefined ? (body.data.expected_version ?? null) : Number(ifMatch[1]);
  const identity = readIdentity(request, body.data.client_reference);
  if ('kind' in identity) return identity;
  return write(desk, request, {
    resource: 'ticket_closures',
    identity,
    requestHash: hash(['ticket_closures', id, version, body.data]),
    settingsOf: 'tickets',
    perform: (now) => {
      const ticket = closeTicket(desk.db, id, version, identity, now);
      if (ticket === 'not_found') return failure(404, 'not_found', 'There is no such ticket');
      if (ticket === 'version_mismatch') {
        return failure(412, 'version_mismatch', 'The ticket has another version');
      }
      return answer(200, ticket, { etag: `"${ticket.version}"` });
    },
  });
}

function write(desk: Desk, request: DeskRequest, asked: Write): Promise<Reply> {
  const key = operationKeyOf(asked.identity);
  if (key !== null) desk.received.set(key, (desk.received.get(key) ?? 0) + 1);
  const target = { resource: asked.resource, on: 'write' as const, key };
  return exchange(desk, request, target, (playFaults, faults) =>
    holdingKey(desk, asked, async () => (await playFaults()) ?? performOnce(desk, asked, faults)),
  );
}

/** What a delayed write becomes: null where the resource performs at once. */
function jobPlan(desk: Desk, { settingsOf }: Write, faults: Fault[]): JobPlan | null {
  const { job_ms: usual } = readSettings(desk.db)[settingsOf];
  if (usual === null) return null;
  const argumentOf = (name: Fault['name']) => faults.find((fault) => fault.name === name)?.argument;
  const standsStill = argumentOf('job_stands_still') !== undefined;
  return {
    afterMs: standsStill ? null : (argumentOf('job_delay') ?? usual),
    fails: argumentOf('job_fails') !== undefined,
  };
}

/** Lets no second request of an honoured key in before the first has committed or ended. */
async function holdingKey(desk: Desk, asked: Write, work: () => Promise<Reply>): Promise<Reply> {
  const key = honouredKey(desk, asked);
  if (key === null) return work();
  const held = `${asked.resource} ${key}`;
  const holder = desk.inProgress.get(held);
  if (holder !== undefined) {
    return holder === asked.requestHash
      ? failure(409, 'idempotency_key_in_progress', 'The first request of this key is not done yet', {
          'retry-after': '1',
        })
      : keyReused();
  }
  desk.inProgress.set(held, asked.requestHash);
  try {
    return await work();
  } finally {
    desk.inProgress.delete(held);
  }
}

/** The effect, its counters and the remembered answer become durable together, before anything is answered. */
function performOnce(desk: Desk, asked: Write, faults: Fault[]): Answer {
  return atomically(desk.db, () => {
    const now = desk.now();
    const job = jobPlan(desk, asked, faults);
    const key = honouredKey(desk, asked);
    if (key === null) return asked.perform(now, job);
    const window = readSettings(desk.db)[asked.settingsOf].key_window_ms;
    const remembered = recall(desk.db, asked.resource, key, now - window);
    if (remembered) {
      if (remembered.requestHash !== asked.requestHash) return keyReused();
      const { status, body, headers } = remembered.answer;
      return answer(status, body, { ...headers, 'idempotent-replayed': 'true' });
    }
    const first = asked.perform(now, job);
    if (isSuccess(first)) {
      remember(desk.db, asked.resource, key, { requestHash: asked.requestHash, answer: first }, now);
    }
    return first;
  });
}

function honouredKey(desk: Desk, asked: Write): string | null {
  return readSettings(desk.db)[asked.settingsOf].honours_key ? asked.identity.idempotencyKey : null;
}

function keyReused(): Answer {
  return failure(409, 'idempotency_key_reused', 'This key came with another request before');
}

function readIdentity(request: DeskRequest, clientReference: unknown): Identity | Answer {
  const key = keyText.nullable().safeParse(request.header('idempotency-key'));
  if (!key.success) return invalid(key.error);
  return {
    idempotencyKey: key.data,
    clientReference: typeof clientReference === 'string' ? clientReference : null,
    requestId: request.header('x-request-id'),
  };
}

function hash(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
