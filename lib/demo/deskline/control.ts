import type { Desk } from './desk.ts';
import { z } from 'zod';
import { addFaultRules, faultRules, readFaultRules, replaceFaultRules } from './fault-rules.ts';
import type { DeskRequest } from './receive.ts';
import { answer, failure, invalid, type Answer } from './replies.ts';
import { keyText, RESOURCES } from './resources.ts';
import { changeSettings, readSettings, settingsPatch } from './settings.ts';
import { countEffects, effectsOfKey } from './store/effects.ts';
import { endJobs } from './store/jobs.ts';
import { atomically, emptyStore } from './store/open-store.ts';
import { reviseRecord } from './store/records.ts';

type Handler = (desk: Desk, request: DeskRequest) => Answer;

const release = z.strictObject({ key: keyText, at: z.enum(['before_commit', 'after_commit']) });
const jobEnd = z.strictObject({ key: keyText, as: z.enum(['succeeded', 'failed']) });
const revision = z.strictObject({ resource: z.enum(RESOURCES), id: z.string() });

const ROUTES: Record<string, Handler> = {
  'GET health': () => answer(200, { status: 'ok', pid: process.pid }),
  'GET effects': (desk, request) => {
    const key = request.query.get('key');
    if (key === null) return answer(200, { by_resource: countEffects(desk.db) });
    return answer(200, { key, effects: effectsOfKey(desk.db, key) });
  },
  'GET config': (desk) => answer(200, readSettings(desk.db)),
  'PUT config': (desk, request) => {
    const patch = settingsPatch.safeParse(request.body);
    return patch.success ? answer(200, changeSettings(desk.db, patch.data)) : invalid(patch.error);
  },
  'GET faults': showFaults,
  'PUT faults': (desk, request) => {
    const asked = faultRules.safeParse(request.body);
    if (!asked.success) return invalid(asked.error);
    replaceFaultRules(desk.db, asked.data.rules);
    return showFaults(desk);
  },
  'POST faults': (desk, request) => {
    const asked = faultRules.safeParse(request.body);
    if (!asked.success) return invalid(asked.error);
    addFaultRules(desk.db, asked.data.rules);
    return showFaults(desk);
  },
  'DELETE faults': (desk) => {
    replaceFaultRules(desk.db, []);
    return showFaults(desk);
  },
  'GET received': (desk, request) =>
    answer(200, { requests: desk.received.get(request.query.get('key') ?? '') ?? 0 }),
  'GET holds': (desk) => answer(200, { held: desk.holds.held() }),
  'POST release': (desk, request) => {
    const asked = release.safeParse(request.body);
    if (!asked.success) return invalid(asked.error);
    return answer(200, { released: desk.holds.release(asked.data.key, asked.data.at) });
  },
  'POST end-jobs': (desk, request) => {
    const asked = jobEnd.safeParse(request.body);
    if (!asked.success) return invalid(asked.error);
    const { key, as } = asked.data;
    return answer(200, { ended: atomically(desk.db, () => endJobs(desk.db, key, as, desk.now())) });
  },
  'POST revise': (desk, request) => {
    const asked = revision.safeParse(request.body);
    if (!asked.success) return invalid(asked.error);
    const record = reviseRecord(desk.db, asked.data.resource, asked.data.id);
    return record ? answer(200, record) : failure(404, 'not_found', 'There is no such record');
  },
  'POST reset': (desk) => {
    if (!desk.allowReset) return failure(403, 'reset_not_allowed', 'Start Deskline with --allow-reset');
    emptyStore(desk.db);
    desk.received.clear();
    return answer(200, { status: 'ok' });
  },
};

/** /control/…: the view of the test bench, never of a caller. Its header keeps web pages out (they need a preflight). */
export function control(desk: Desk, request: DeskRequest): Answer {
  if (request.header('x-deskline-control') !== '1') {
    return failure(403, 'control_header_missing', 'Control needs the header X-Deskline-Control: 1');
  }
  const [, name = '', ...rest] = request.segments;
  const handler = rest.length === 0 ? ROUTES[`${request.method} ${name}`] : undefined;
  return handler ? handler(desk, request) : failure(404, 'not_found', 'There is no such control');
}

function showFaults(desk: Desk): Answer {
  return answer(200, { rules: readFaultRules(desk.db) });
}
