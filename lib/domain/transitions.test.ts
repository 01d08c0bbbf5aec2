import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { answer, type Answer, type Delivery } from './answer.ts';
import { everyFacts, everyShape, withEachOther } from './every-facts.ts';
import { NO_OPERATION, unreachable, type Facts } from './facts.ts';
import { instructionFor } from './instructions.ts';
import { EVENTS, type Event } from './states.ts';
import { allowedEvents, isFound, nextState, resendOpen } from './transitions.ts';

const DELIVERY: Delivery = {
  authorized: true,
  matches: true,
  consumer: false,
  lateArrival: 'reject',
  storedReason: null,
};

interface View {
  f: Facts;
  events: Event[];
  said: Answer;
  may: (...events: Event[]) => boolean;
}

const lead = (event: Event, f: Facts) => (event === 'amend' ? null : nextState(event, f));
const SHAPES = new Set(everyShape().map((s) => `${s.status}/${s.pendingReason}`));
const OPEN = ['pending', 'unknown', 'unrecognised'];

/** Each rule holds for every combination. They are checked in one walk, because the walk is the cost. */
const RULES: Record<string, (view: View) => boolean> = {
  'every reachable combination has exactly one answer to a delivery, and each answer its sentence': ({
    said,
  }) => said.do !== 'answer' || instructionFor(said.status, said.reason, said.nextAction).length > 20,
  'an answer that fires an event fires one that is allowed': ({ said, may }) =>
    said.do === 'answer' || said.do === 'reconcile_first' || may(said.do),
  'every event leads to a state that the table can hold': ({ f, events }) =>
    events.every((event) => {
      const to = lead(event, f);
      return to === null || SHAPES.has(`${to.status}/${to.pendingReason ?? 'none'}`);
    }),
  'no open operation is stuck: a machine or a person can always do something': ({ f, events }) =>
    !OPEN.includes(f.status) || events.length > 0 || f.epoch === 'older' || (f.adopted && f.lease === 'live'),
  'rule 2: nothing in doubt is attempted again but by an open resend': ({ f, may }) =>
    f.doubt === 'none' || resendOpen(f) || !may('acquire', 'send', 'resend'),
  'rule 2: an expired lease after the send never leads straight to another send': ({ f, may }) =>
    !(f.sent && may('expire')) || nextState('expire', f).pendingReason !== 'ready',
  'rule 3: a worker says that it did not happen only without an earlier doubt and without found evidence': ({
    f,
    may,
  }) => !may('refuse', 'release') || (f.doubt !== 'earlier' && !isFound(f)),
  'rule 3: nobody says that it did not happen against found evidence': ({ f, may }) =>
    !isFound(f) || !may('refuse', 'deny', 'abandon', 'settle_refused', 'decide_failed', 'decide_new_key'),
  'rule 4: applied comes only from a sent attempt, found evidence or a person': ({ f, events }) =>
    events.every((event) => {
      if (event === 'compact' || lead(event, f)?.status !== 'applied') return true;
      if (event === 'apply') return f.sent;
      return event === 'settle_found' ? f.evidence === 'found' : event === 'decide_applied';
    }),
  'rule 6: only conclusive absence of the current epoch settles': ({ f, may }) =>
    !may('settle_absent') || (f.evidence === 'absent_conclusive' && f.epoch === 'current'),
  'rule 8: without authorization or match nothing is revealed and nothing is fired': ({ f }) => {
    const denied = answer(f, { ...DELIVERY, authorized: false });
    const other = answer(f, { ...DELIVERY, matches: false });
    return (
      denied.do === 'answer' &&
      denied.reason === 'unauthorized' &&
      !denied.reveals &&
      (f.status === 'none' ||
        (other.do === 'answer' && other.reason === 'fingerprint_mismatch' && !other.reveals))
    );
  },
  'an adopted row always answers fingerprint_mismatch': ({ f, said }) =>
    !f.adopted || (said.do === 'answer' && said.reason === 'fingerprint_mismatch'),
  'rule 11: a successor whose predecessor was decided anew gets no successor of its own': ({ f, may }) =>
    f.predecessor !== 'changed' || !may('decide_new_key'),
  'rule 12: an expired key is never silently new': ({ f, may }) =>
    f.status === 'none' || !may('claim', 'enqueue'),
  'rule 13: nothing of an older epoch is sent again': ({ f, may }) =>
    f.status === 'none' || f.epoch === 'current' || !may('acquire', 'send', 'resend', 'settle_absent'),
  'a live lease is its holder’s alone: no person, reconciler or second worker touches it': ({ f, events }) =>
    f.lease !== 'live' ||
    events.every((e) =>
      ['send', 'accept', 'apply', 'refuse', 'release', 'doubt', 'request_approval', 'fail_over'].includes(e),
    ),
};

const walk = { checked: 0, broken: new Map<string, Facts>(), seen: new Set<Event>() };

beforeAll(() => {
  for (const base of everyFacts()) {
    if (unreachable(base) !== null) continue;
    // the rarely read fields are varied on a stated fraction: every 16th combination
    for (const f of walk.checked++ % 16 === 0 ? withEachOther(base) : [base]) {
      const events = allowedEvents(f);
      for (const event of events) walk.seen.add(event);
      const view = {
        f,
        events,
        said: answer(f, DELIVERY),
        may: (...some: Event[]) => some.some((e) => events.includes(e)),
      };
      for (const [title, rule] of Object.entries(RULES))
        if (!walk.broken.has(title) && !rule(view)) walk.broken.set(title, f);
    }
  }
}, 120_000);

test.for(Object.keys(RULES))('%s', (title) => {
  expect(walk.broken.get(title)).toBeUndefined();
});

test('the walk is the stated size, and reaches every event', () => {
  expect(walk.checked).toBeGreaterThan(200_000);
  expect(EVENTS.filter((event) => !walk.seen.has(event))).toEqual([]);
});

test('excluded combinations say why', () => {
  expect(unreachable({ ...NO_OPERATION, status: 'applied', pendingReason: 'ready' })).toContain(
    'pending reason',
  );
  expect(unreachable({ ...NO_OPERATION, status: 'pending', pendingReason: 'recovering' })).toContain('doubt');
});

test('answers do not depend on fields that no rule reads for them (property)', () => {
  const shapes = everyShape();
  fc.assert(
    fc.property(fc.constantFrom(...shapes), fc.boolean(), (shape, ended) => {
      expect(answer({ ...shape, ended }, DELIVERY)).toEqual(answer(shape, DELIVERY));
    }),
  );
});
