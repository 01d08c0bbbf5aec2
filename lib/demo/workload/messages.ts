import type { OperationContext, Outcome } from '../../executor/index.ts';
import type { Policy } from './policy.ts';
import type { Arguments, Boundary, ToolName } from './plan/step.ts';

/** One delivery of a tool call, as an agent hands it to a worker. */
export type Delivery = {
  tool: ToolName;
  arguments: Arguments;
  context: OperationContext;
  /** The effect waits there, for the end of the worker. */
  pauseAt?: Boundary;
};

export type ToWorker =
  | { type: 'start'; worker: string; policy: Policy; fieldDigestKey: string }
  | { type: 'policy'; policy: Policy }
  | { type: 'deliver'; id: number; delivery: Delivery };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'outcome'; id: number; outcome: Outcome }
  /** The executor threw: nothing was claimed. */
  | { type: 'failed'; id: number; message: string }
  /** The worker stands at this point of this operation, and goes no further. */
  | { type: 'boundary'; key: string; at: Boundary };
