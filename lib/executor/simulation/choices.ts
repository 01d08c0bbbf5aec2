import { VERDICTS } from '../../domain/states.ts';
import { judgeVerdict } from '../../domain/verdict.ts';
import { decide, decideApproval } from './decide.ts';
import { FATES } from './downstream.ts';
import { RECONCILERS, RECOVERER, WORKERS } from './actors.ts';
import type { Budget, PendingCall, Schedule } from './schedule.ts';

type Kind = 'progress' | 'arrival' | 'slow' | 'duty' | 'time' | 'delivery' | 'fate' | 'fault' | 'person';

/** One thing that may happen next. */
export interface Choice {
  /** For people. */
  label: () => string;
  kind: Kind;
  take: () => void;
}

/** How often a random walk takes a choice of each kind, relative to the others. */
export const WEIGHTS: Record<Kind, number> = {
  progress: 6,
  arrival: 2.5,
  slow: 0.7,
  duty: 3,
  time: 1,
  delivery: 1,
  fate: 0.8,
  fault: 0.2,
  person: 0.15,
};

/** Collects what may happen next; what is no plain progress is offered while its budget lasts. */
class Offers {
  readonly choices: Choice[] = [];
  readonly schedule: Schedule;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  offer(kind: Kind, label: () => string, take: () => void): void {
    this.choices.push({ kind, label, take });
  }

  spend(what: keyof Budget, kind: Kind, label: () => string, take: () => void): void {
    const { budget } = this.schedule;
    if (budget[what] <= 0) return;
    this.offer(kind, label, () => {
      budget[what] -= 1;
      take();
    });
  }
}

/** Everything that may happen next, plain progress first; the same state gives the same list. */
export function choicesOf(schedule: Schedule): Choice[] {
  const offers = new Offers(schedule);
  const calls = [...schedule.calls].sort(byActor);
  for (const call of calls)
    offers.offer(
      'progress',
      () => `${call.actor}: ${call.label}`,
      () => schedule.perform(call, 'heard'),
    );
  offerWire(offers);
  offerJobs(offers);
  for (const timer of dueTimers(schedule))
    offers.offer(
      'progress',
      () => `${timer.actor}: its timer of ${timer.at} fires`,
      () => schedule.fire(timer),
    );
  offerWork(offers);
  for (const [at, why] of jumps(schedule))
    offers.spend(
      'jumps',
      'time',
      () => `time passes ${why}`,
      () => schedule.passUntil(at),
    );
  offerFaults(offers, calls);
  offerPerson(offers);
  return offers.choices;
}

const byActor = (a: PendingCall, b: PendingCall) =>
  a.actor < b.actor ? -1 : a.actor > b.actor ? 1 : a.label < b.label ? -1 : a.label > b.label ? 1 : 0;

/** Requests arrive and fare as the downstream will have it; answers come back, or not. */
function offerWire(offers: Offers): void {
  const { schedule } = offers;
  const { downstream } = schedule;
  const requests = downstream.requests
    .filter((r) => r.state !== 'over')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const request of requests) {
    const at = () => `the request ${request.id}`;
    const hears = (what: string) => schedule.observe(request.actor, `${request.id} ${what}`);
    switch (request.state) {
      case 'on_wire':
        for (const fate of FATES) {
          if (fate === 'accepted' && downstream.nature.jobMs === null) continue;
          const take = () => downstream.arrive(request, fate, schedule.now);
          if (fate === 'done') offers.offer('arrival', () => `${at()} arrives`, take);
          else offers.spend('fates', 'fate', () => `${at()} arrives: ${fate}`, take);
        }
        if (request.heard)
          offers.spend(
            'fates',
            'fate',
            () => `${at()} finds no connection`,
            () => {
              hears('not sent');
              downstream.refuseConnection(request);
            },
          );
        break;
      case 'processing':
        offers.offer(
          'slow',
          () => `${at()} takes effect`,
          () => downstream.commit(request, schedule.now),
        );
        break;
      case 'answered':
        if (!request.heard) break;
        offers.offer(
          'progress',
          () => `${at()} is answered`,
          () => {
            hears(JSON.stringify(request.answer));
            schedule.seen(`downstream said ${request.answer?.kind}`);
            downstream.reply(request);
          },
        );
        offers.spend(
          'fates',
          'fate',
          () => `${at()} is answered, and the answer is lost`,
          () => {
            hears('lost');
            schedule.seen('answer lost');
            downstream.lose(request);
          },
        );
        break;
      case 'over':
        break;
    }
  }
}

/** Jobs that the downstream has taken on end, one way or the other. */
function offerJobs(offers: Offers): void {
  const { schedule } = offers;
  for (const job of schedule.downstream.jobs) {
    if (!job.isOpen) continue;
    const end = (isDone: boolean) => () => schedule.downstream.endJob(job, schedule.now, isDone);
    offers.offer('duty', () => `the ${job.id} takes effect`, end(true));
    offers.spend('fates', 'fate', () => `the ${job.id} fails`, end(false));
  }
}

/** The nearest due timer of each process. */
function dueTimers(schedule: Schedule): Schedule['timers'] {
  const earliest = new Map<string, Schedule['timers'][number]>();
  for (const timer of schedule.timers) {
    const other = earliest.get(timer.actor);
    if (timer.at <= schedule.now && (other === undefined || timer.at < other.at))
      earliest.set(timer.actor, timer);
  }
  return [...earliest.values()].sort((a, b) => (a.actor < b.actor ? -1 : 1));
}

/** Deliveries and duties begin where there is somebody idle to do them. */
function offerWork(offers: Offers): void {
  const { schedule } = offers;
  const { store, contract } = schedule;
  for (const actor of WORKERS)
    if (!schedule.isBusy(actor))
      offers.spend(
        'deliveries',
        'delivery',
        () => `${actor}: is delivered the step`,
        () => schedule.deliver(actor),
      );
  // nothing is due of what is over
  if (![...store.rows.values()].some((o) => o.status === 'pending' || o.status === 'unknown')) return;
  if (!schedule.isBusy(RECOVERER) && (store.expiredLeases(1).length > 0 || store.abandonable(1).length > 0))
    offers.spend(
      'recoveries',
      'duty',
      () => 'recoverer: runs',
      () => schedule.recover(RECOVERER),
    );
  const tools = [{ name: contract.name, version: contract.version, environment: 'production' }];
  const isResent = contract.resend_by_recovery === true && store.resendable(tools, 1).length > 0;
  const idle = RECONCILERS.find((actor) => !schedule.isBusy(actor));
  if (
    idle !== undefined &&
    (isResent || store.reconcilable(tools, 1).length > 0 || store.givenUp(tools, 1).length > 0)
  )
    offers.spend(
      'reconciliations',
      'duty',
      () => `${idle}: runs`,
      () => schedule.reconcile(idle),
    );
}

/** The instants that mean something to an operation, each just passed; the nearest timer of a process, reached. */
function jumps(schedule: Schedule): [at: number, why: string][] {
  const found = new Map<number, string>();
  const add = (at: number | null | undefined, why: string) => {
    if (at != null && at > schedule.now && !found.has(at)) found.set(at, why);
  };
  const { downstream } = schedule.contract;
  const settle = downstream.settle_seconds * 1000;
  for (const row of schedule.store.rows.values()) {
    if (row.status !== 'pending' && row.status !== 'unknown') continue;
    const abandon = schedule.contract.abandon_after_seconds;
    if (abandon !== undefined) add(row.created_at + abandon * 1000, 'until it is abandoned');
    for (const { valid_until: until } of schedule.store.approvals.get(row.operation_key) ?? [])
      add(until && until + 1, 'beyond the approval');
    add(row.lease_until && row.lease_until + 1, 'beyond the lease');
    add(row.next_attempt_at && row.next_attempt_at + 1, 'until the next attempt is due');
    add(row.quiet_until && row.quiet_until + settle + 1, 'beyond quiet time and settle window');
    add(row.recover_until && row.recover_until + 1, 'beyond the time to recover');
    if (downstream.key_window_seconds === undefined || row.first_sent_at === null) continue;
    const forgotten = row.first_sent_at + downstream.key_window_seconds * 1000 + 1;
    add(forgotten - downstream.call_budget_ms - settle, 'until the key window is shut for another send');
    add(forgotten, 'beyond the key window');
  }
  const nearest = Math.min(...schedule.timers.map(({ at }) => at).filter((at) => at > schedule.now));
  if (nearest !== Infinity) add(nearest, 'until the next timer');
  return [...found].sort(([a], [b]) => a - b);
}

/** What the database and the system do to those that are at work. */
function offerFaults(offers: Offers, calls: readonly PendingCall[]): void {
  const { schedule } = offers;
  for (const call of calls) {
    if (call.label.startsWith('authorize')) continue;
    if (call.label !== 'lookup' && call.label !== 'pollJob')
      offers.spend(
        'faults',
        'fault',
        () => `${call.actor}: ${call.label}, and its reply is lost`,
        () => {
          schedule.seen(`reply lost of ${call.label}`);
          schedule.perform(call, 'lost');
        },
      );
    offers.spend(
      'faults',
      'fault',
      () => `${call.actor}: ${call.label} fails`,
      () => schedule.perform(call, 'failed'),
    );
  }
  for (const actor of [...WORKERS, ...RECONCILERS])
    if (schedule.isBusy(actor))
      offers.spend(
        'crashes',
        'fault',
        () => `${actor}: is killed`,
        () => {
          schedule.seen('a process was killed');
          schedule.crash(actor);
        },
      );
}

/** A person reads a case, and decides on what was read: alone where that is allowed, else with a second person. */
function offerPerson(offers: Offers): void {
  const { schedule } = offers;
  const { reading } = schedule;
  for (const row of schedule.store.rows.values()) {
    if (row.pending_reason !== 'awaiting_approval') continue;
    for (const answer of ['approve', 'deny'] as const)
      offers.spend(
        'approvals',
        answer === 'approve' ? 'duty' : 'person',
        () => `approver: ${answer}s`,
        () => {
          const { operation_key, version } = row;
          schedule.seen(answer);
          decideApproval(schedule.store, { operation_key, version, answer }, schedule.now);
        },
      );
  }
  if (reading === null) {
    for (const row of schedule.store.rows.values())
      if (row.status === 'unknown' || (row.status === 'pending' && row.lease_token === null))
        offers.spend(
          'decisions',
          'person',
          () => `operator: reads ${row.operation_key}`,
          () => {
            schedule.reading = schedule.store.record(row);
          },
        );
    return;
  }
  const [effect] = schedule.downstream.effectsOf(reading.downstream_key ?? reading.operation_key);
  for (const verdict of VERDICTS) {
    // a person who says that it happened has seen it
    if (verdict === 'applied' && effect === undefined) continue;
    const reference = verdict === 'applied' ? (effect?.reference ?? null) : null;
    const judge = (secondPerson: boolean) =>
      judgeVerdict(verdict, reading.facts, { roles: ['operator'], receipt: reference, secondPerson }).allowed;
    const alone = judge(false);
    if (!alone && !judge(true)) continue;
    const who = alone ? 'operator' : 'operator and a second person';
    offers.offer(
      'person',
      () => `${who}: decide ${verdict}`,
      () => {
        schedule.reading = null;
        const { operation_key, version } = reading;
        const decided = decide(
          schedule.store,
          { operation_key, version, verdict, reference, secondPerson: !alone },
          schedule.now,
        );
        const isDecided = decided.outcome === 'decided';
        schedule.seen(isDecided ? `decided ${verdict}` : `decision met a ${decided.outcome}`);
        if (isDecided && WORKERS.some((worker) => schedule.isBusy(worker)))
          schedule.seen('decided while a worker sleeps');
        if (isDecided && !alone) schedule.onTrust.add(operation_key);
      },
    );
  }
}
