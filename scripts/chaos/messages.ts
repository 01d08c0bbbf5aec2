import type { OperationContext, Outcome } from '../../lib/executor/index.ts';
import type { Kind, Times } from './tools.ts';

/** Where a worker stands still until it is told to go on: immediately before the call that the name says. */
export const BOUNDARIES = ['claim', 'effect', 'record'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

export interface StartMessage {
  type: 'start';
  databaseUrl: string;
  desklineUrl: string;
  worker: string;
  /** Also runs the duties. */
  duties: boolean;
  /** Added to what this process takes for the time of day. */
  clockShiftMs?: number;
  times?: Times;
}
export interface DeliverMessage {
  type: 'deliver';
  id: number;
  kind: Kind;
  context: OperationContext;
  stopAt?: Boundary;
}
export type ToWorker = StartMessage | DeliverMessage | { type: 'go' };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'at'; boundary: Boundary }
  | { type: 'outcome'; id: number; outcome: Outcome }
  /** The delivery was rejected: nothing was claimed. */
  | { type: 'rejected'; id: number; because: string };
