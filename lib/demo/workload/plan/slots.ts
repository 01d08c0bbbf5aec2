import { REVOKED_ACTOR } from './business.ts';
import type { Boundary, Scope, ToolName } from './step.ts';

/** What a place in the plan holds; content and timing are drawn by seed and number. */
export type Slot =
  | {
      tool: ToolName;
      scope?: Scope;
      actor?: string;
      trouble?:
        | { kind: 'fault' | 'lookup_down'; fault: string; times?: number | null }
        | { kind: 'kill'; at: Boundary }
        | { kind: 'other_arguments' | 'invalid_arguments' };
      /** The slot of the ticket that this one closes, counted back from here. */
      ticketBack?: number;
    }
  | { revoke: string }
  | { awaitUnknown: number };

const ACME: Scope = { tenantId: 'acme', environment: 'production' };
const ACME_STAGING: Scope = { tenantId: 'acme', environment: 'staging' };
const GLOBEX: Scope = { tenantId: 'globex', environment: 'production' };

const fault = (tool: ToolName, name: string, scope: Scope = ACME): Slot => ({
  tool,
  scope,
  trouble: { kind: 'fault', fault: name, times: 1 },
});
const killed = (tool: ToolName, at: Boundary, scope: Scope = ACME): Slot => ({
  tool,
  scope,
  trouble: { kind: 'kill', at },
});
const confused = (tool: ToolName, kind: 'other_arguments' | 'invalid_arguments'): Slot => ({
  tool,
  trouble: { kind },
});
/** Never now, until the attempts are spent. */
const stuck = (tool: ToolName, scope: Scope): Slot => ({
  tool,
  scope,
  trouble: { kind: 'fault', fault: 'not_now=1', times: null },
});
const lookupDown = (scope: Scope): Slot => ({
  tool: 'refunds.create',
  scope,
  trouble: { kind: 'lookup_down', fault: 'commit_then_drop', times: 1 },
});

/** What a quiet day consists of. */
const USUAL: readonly [ToolName, ...ToolName[]] = [
  'tickets.create',
  'messages.send',
  'payments.charge',
  'messages.send',
  'refunds.create',
  'tickets.create',
];
const usual = (at: number): Slot => ({ tool: USUAL[at % USUAL.length] ?? USUAL[0] });

/** What goes wrong in the first minutes, in this order, with usual work between. */
const TROUBLES: readonly Slot[] = [
  killed('tickets.create', 'before_the_record'),
  fault('payments.charge', 'hang'),
  fault('messages.send', 'truncated_body'),
  killed('tickets.create', 'before_the_wire'),
  fault('tickets.create', 'commit_then_drop'),
  confused('tickets.create', 'other_arguments'),
  killed('payments.charge', 'before_the_record'),
  stuck('tickets.create', ACME),
  fault('messages.send', 'malformed_body', GLOBEX),
  killed('refunds.create', 'before_the_record'),
  confused('payments.charge', 'invalid_arguments'),
  fault('refunds.create', 'malformed_body'),
  fault('payments.charge', 'drop_before_commit'),
  killed('tickets.create', 'on_the_wire'),
  fault('messages.send', 'wrong_content_type'),
  fault('payments.charge', 'refuse'),
  killed('messages.send', 'before_the_record'),
  fault('tickets.create', 'wrong_receipt'),
  confused('payments.charge', 'other_arguments'),
  killed('refunds.create', 'on_the_wire'),
  fault('payments.charge', 'gateway_timeout_after_commit', GLOBEX),
  killed('tickets.create', 'before_the_record', ACME_STAGING),
  fault('messages.send', 'incomplete_body'),
  fault('tickets.create', 'error_before_commit'),
  { revoke: REVOKED_ACTOR },
  killed('refunds.create', 'before_the_wire'),
  { tool: 'messages.send', scope: ACME, actor: REVOKED_ACTOR },
  fault('payments.charge', 'error_after_commit'),
  confused('refunds.create', 'other_arguments'),
  stuck('messages.send', GLOBEX),
  killed('tickets.create', 'before_the_wire', GLOBEX),
  fault('tickets.create', 'refuse'),
  fault('messages.send', 'commit_then_drop', ACME_STAGING),
  killed('tickets.create', 'before_the_record'),
  confused('messages.send', 'other_arguments'),
  fault('refunds.create', 'truncated_body'),
  { tool: 'messages.send', scope: ACME, actor: REVOKED_ACTOR },
  killed('refunds.create', 'before_the_record'),
  stuck('payments.charge', ACME),
  // last: while it lasts, no other refund can be looked up either
  lookupDown(ACME),
  lookupDown(GLOBEX),
  confused('tickets.create', 'invalid_arguments'),
  killed('tickets.create', 'on_the_wire', GLOBEX),
];

const QUIET_START = 14;
const BETWEEN = 4;
/** In the first minutes every so many-th usual slot closes the nearest earlier untroubled ticket. */
const CLOSE_EVERY = 7;
/** By number of the closing, where its worker is killed. */
const CLOSINGS_KILLED: Readonly<Record<number, Boundary>> = { 4: 'before_the_record', 8: 'before_the_wire' };

/** The first minutes. The first slot is the case that a newcomer opens: charged, and the answer lost. */
export const BURST: readonly Slot[] = burst();

function burst(): Slot[] {
  const slots: Slot[] = [fault('payments.charge', 'commit_then_drop')];
  let rounds = 0;
  const addUsual = () => {
    rounds += 1;
    const back = ticketBack(slots, slots.length);
    const closes = rounds % CLOSE_EVERY === 0 && back !== null;
    const kill = CLOSINGS_KILLED[rounds / CLOSE_EVERY];
    const trouble = kill === undefined ? {} : { trouble: { kind: 'kill' as const, at: kill } };
    slots.push(closes ? { tool: 'tickets.close', ticketBack: back, ...trouble } : usual(rounds));
  };
  while (slots.length < QUIET_START) addUsual();
  slots.push({ awaitUnknown: 0 });
  for (const trouble of TROUBLES) {
    slots.push(trouble);
    for (let i = 0; i < BETWEEN; i++) addUsual();
  }
  return slots;
}

/** How far back the nearest ticket stands that nothing happens to and nobody closes yet. */
function ticketBack(slots: readonly Slot[], at: number): number | null {
  const closed = new Set(
    slots.flatMap((slot, i) =>
      'tool' in slot && slot.ticketBack !== undefined ? [i - slot.ticketBack] : [],
    ),
  );
  for (let i = at - 1; i >= 0; i--) {
    const slot = slots[i];
    if (slot === undefined || !('tool' in slot) || slot.tool !== 'tickets.create') continue;
    if (slot.trouble === undefined && !closed.has(i)) return at - i;
  }
  return null;
}

/** The trickle afterwards: with 12 s between slots a worker is killed every 48 s, and a case begins every two minutes. */
export const TRICKLE_GAP_MS = 12_000;
const CASES: readonly [Slot, ...Slot[]] = [
  fault('payments.charge', 'commit_then_drop'),
  fault('messages.send', 'malformed_body'),
  lookupDown(ACME),
  stuck('tickets.create', ACME),
  fault('messages.send', 'truncated_body', GLOBEX),
  killed('payments.charge', 'before_the_record'),
  fault('payments.charge', 'drop_before_commit'),
  stuck('messages.send', ACME),
];
const KILLS: readonly [Slot, ...Slot[]] = [
  killed('tickets.create', 'before_the_record'),
  killed('refunds.create', 'before_the_wire'),
  killed('tickets.create', 'on_the_wire'),
  killed('refunds.create', 'before_the_record'),
  killed('tickets.create', 'before_the_wire', GLOBEX),
];
const ASIDES: readonly [Slot, ...Slot[]] = [
  confused('tickets.create', 'other_arguments'),
  fault('refunds.create', 'malformed_body'),
  { tool: 'messages.send', actor: REVOKED_ACTOR },
  confused('payments.charge', 'invalid_arguments'),
  fault('tickets.create', 'refuse'),
  fault('tickets.create', 'commit_then_drop'),
];
const TRICKLE_USUAL = ['messages.send', 'payments.charge', 'refunds.create', 'messages.send'] as const;
const CYCLE = 20;

/** The slot of the trickle at `at`, counted from its begin; it goes on for ever. */
export function trickleSlot(at: number): Slot {
  const cycle = Math.floor(at / CYCLE);
  const place = at % CYCLE;
  const nth = <T>(list: readonly [T, ...T[]], n: number): T => list[n % list.length] ?? list[0];
  if (place % 4 === 1) return nth(KILLS, cycle * 5 + Math.floor(place / 4));
  if (place === 6 || place === 16) return nth(CASES, cycle * 2 + (place === 6 ? 0 : 1));
  if (place === 10) return nth(ASIDES, cycle);
  if (place === 0 || place === 12) return { tool: 'tickets.create' };
  if (place === 3 || place === 15) return { tool: 'tickets.close', ticketBack: 3 };
  return { tool: nth(TRICKLE_USUAL, at) };
}
