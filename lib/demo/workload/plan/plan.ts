import { REVOKED_ACTOR } from './business.ts';
import { invalidArguments, otherArguments, requestOf } from './request.ts';
import { seeded, type Seeded } from './seeded.ts';
import { BURST, TRICKLE_GAP_MS, trickleSlot, type Slot } from './slots.ts';
import type { PlanItem, Scope, Step, Trouble } from './step.ts';

const BURST_GAP_MS = 330;
const UNKNOWN_WITHIN_MS = 20_000;

type StepSlot = Extract<Slot, { tool: unknown }>;

const slotAt = (number: number): Slot => BURST[number] ?? trickleSlot(number - BURST.length);

/** What the workload does as its `number`-th thing; the same for the same seed, whatever happened before. */
export function planItem(seed: string, number: number): PlanItem {
  const slot = slotAt(number);
  const gapMs = number < BURST.length ? BURST_GAP_MS : TRICKLE_GAP_MS;
  if ('revoke' in slot) return { do: 'revoke', actor: slot.revoke, gapMs };
  if ('awaitUnknown' in slot)
    return { do: 'await_unknown', number: slot.awaitUnknown, atMostMs: UNKNOWN_WITHIN_MS, gapMs };
  return { do: 'step', step: stepOf(seed, number, slot), gapMs };
}

/** How many things the first minutes hold. */
export const BURST_LENGTH = BURST.length;

function stepOf(seed: string, number: number, slot: StepSlot): Step {
  const ticketOf = slot.ticketBack === undefined ? null : number - slot.ticketBack;
  // a closing belongs to the workflow that opened the ticket
  const origin = ticketOf ?? number;
  const draw = seeded(`${seed}/${number}`);
  const scope = scopeOf(seed, origin);
  const request = requestOf(slot.tool, origin, draw, scope.tenantId);
  const trouble = troubleOf(slot, request.arguments);
  return {
    ...scope,
    ...request,
    actor: slot.actor ?? (trouble === null ? request.actor : trustedActor(request.actor)),
    number,
    tool: slot.tool,
    ticketOf,
    trouble,
    twin: trouble === null && draw.chance(0.06),
    duplicateAfterMs: draw.chance(0.3) ? draw.whole(4, 45) * 1_000 : null,
  };
}

/** What is to go wrong downstream has to get there. */
const trustedActor = (actor: string) => (actor === REVOKED_ACTOR ? 'agent:outreach-1' : actor);

function scopeOf(seed: string, number: number): Scope {
  const slot = slotAt(number);
  if ('tool' in slot && slot.scope !== undefined) return slot.scope;
  return drawScope(seeded(`${seed}/${number}/scope`));
}

function drawScope(draw: Seeded): Scope {
  const at = draw.fraction();
  if (at < 0.7) return { tenantId: 'acme', environment: 'production' };
  if (at < 0.88) return { tenantId: 'globex', environment: 'production' };
  return { tenantId: at < 0.96 ? 'acme' : 'globex', environment: 'staging' };
}

function troubleOf({ tool, trouble }: StepSlot, args: Step['arguments']): Trouble | null {
  switch (trouble?.kind) {
    case undefined:
      return null;
    case 'fault':
      return { kind: 'fault', fault: trouble.fault, times: trouble.times === undefined ? 1 : trouble.times };
    case 'lookup_down':
      return { kind: 'lookup_down', fault: trouble.fault };
    case 'kill':
      return { kind: 'kill', at: trouble.at };
    case 'other_arguments':
      return { kind: 'other_arguments', arguments: otherArguments(tool, args) };
    case 'invalid_arguments':
      return { kind: 'invalid_arguments', arguments: invalidArguments(tool, args) };
  }
}
