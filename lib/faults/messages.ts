import type { OperationContext, Outcome } from '../executor/index.ts';

/**
 * Where a worker stands still when its delivery says so:
 * - `before_claim`: everything is checked, and the claim not yet asked for
 * - `after_claim`: the claim is its own and durable, nothing sent
 * - `before_send`: authorization, preconditions and version were checked, nothing sent
 * - `before_record`: the downstream has answered, nothing recorded
 * What lies between (`after_send`, `after_commit`) is held at the downstream.
 */
export const BOUNDARIES = ['before_claim', 'after_claim', 'before_send', 'before_record'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export interface StartWorker {
  type: 'start';
  module: string;
  subject: string;
  downstreamUrl: string;
  databaseUrl: string;
  worker: string;
  /** Whether it also recovers, reconciles and compacts. */
  duties: boolean;
  /** 32 characters; what a contract stores sealed is sealed with it. */
  sealingKey: string;
}

export type ToWorker =
  | StartWorker
  | { type: 'deliver'; id: number; args: unknown; context: OperationContext; stopAt: Boundary | null }
  /** Goes on where it stands still under this key. */
  | { type: 'resume'; key: string }
  /** Takes an actor's rights away, from now on. */
  | { type: 'revoke'; actor: string };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'failed'; id: number | null; message: string }
  | { type: 'outcome'; id: number; outcome: Outcome }
  | { type: 'standing'; key: string; at: Boundary };
