import type { BOUNDARIES } from '../boundaries.ts';

export const TOOLS = [
  'tickets.create',
  'tickets.close',
  'payments.charge',
  'refunds.create',
  'messages.send',
] as const;
export type ToolName = (typeof TOOLS)[number];

export type Boundary = (typeof BOUNDARIES)[number];

export type Arguments = { readonly [field: string]: string | number };

export type Scope = { tenantId: string; environment: string };

/** What goes wrong on purpose with a step. */
export type Trouble =
  /** Deskline plays this fault on the step's writes, so many times; null is without end. */
  | { kind: 'fault'; fault: string; times: number | null }
  /** The same, while Deskline's lookup is down for longer than the contract waits. */
  | { kind: 'lookup_down'; fault: string }
  /** The worker of the first attempt is killed there. */
  | { kind: 'kill'; at: Boundary }
  /** After it has ended, the model proposes the same step with other arguments. */
  | { kind: 'other_arguments'; arguments: Arguments }
  /** The model's first proposal does not fit the tool. */
  | { kind: 'invalid_arguments'; arguments: Arguments };

/** One tool call of a workflow, as its agent means it; decided by seed and number alone. */
export type Step = Scope & {
  number: number;
  workflowId: string;
  stepId: string;
  actor: string;
  tool: ToolName;
  arguments: Arguments;
  /** The number of the step whose receipt becomes `ticket_id`. */
  ticketOf: number | null;
  intentEvent: string;
  businessReference: string;
  trouble: Trouble | null;
  /** Two workers get the first delivery at once. */
  twin: boolean;
  /** One more delivery so long after the end, in milliseconds; null for none. */
  duplicateAfterMs: number | null;
};

/** What the workload does next, and how long it waits after that. */
export type PlanItem = { gapMs: number } & (
  | { do: 'step'; step: Step }
  /** The policy takes an actor's rights away. */
  | { do: 'revoke'; actor: string }
  /** Nothing, until that step is unknown: the oldest case is the one that a newcomer can decide. */
  | { do: 'await_unknown'; number: number; atMostMs: number }
);
