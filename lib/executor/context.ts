import type { Material } from './identity/material.ts';

/** Who acts, as the application knows it; never from the model. */
export interface Actor {
  /** Stable id, e.g. `agent:planner-2`. */
  id: string;
  /** Whose rights are used, where they are not the actor's own. */
  onBehalfOf?: string;
}

/** The application's own knowledge of this call. Nothing of it may come from the model. */
export interface OperationContext {
  tenantId: string;
  environment: string;
  workflowId: string;
  /** Names one tool call of the workflow. */
  stepId: string;
  actor: Actor;
  /** The workflow event that is the reason for this operation. */
  intentEvent?: string;
  /** What people know the business case by, e.g. an issue id; indexed. */
  businessReference?: string;
  /** After `superseded`: the successor key that the answer named. */
  successorKey?: string;
  /** Telemetry, never identity. */
  toolCallId?: string;
  deliveryId?: string;
  /** W3C trace context. */
  traceparent?: string;
}

/** What `authorize` is asked: before the stored state is revealed, before the effect, before a replay, and for a status. */
export interface AuthorizationQuestion {
  phase: 'delivery' | 'effect' | 'replay' | 'status';
  tool: string;
  toolVersion: string;
  actor: Actor;
  tenantId: string;
  environment: string;
  operationKey: string;
  workflowId: string;
  stepId: string;
  /** Empty where a status is asked for by the key alone. */
  material: Material;
  attempt: number;
}

export interface AuthorizationAnswer {
  allowed: boolean;
  /** Recorded with the trace. */
  policyVersion: string;
  /** A denial that cannot change for this operation: it is refused, else it may be delivered again. */
  permanent?: boolean;
}

/** Asks the application's policy as it is now. What it throws denies. */
export type Authorize = (question: AuthorizationQuestion) => Promise<AuthorizationAnswer>;
