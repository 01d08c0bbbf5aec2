/** The public surface of the executor, published as `replay-desk/executor`. */
export type { Outcome } from '../domain/outcome.ts';
export type { NextAction, OutcomeReason, OutcomeStatus } from '../domain/states.ts';
export type {
  Actor,
  AuthorizationAnswer,
  AuthorizationQuestion,
  Authorize,
  OperationContext,
} from './context.ts';
export type { Contract, ContractInput } from './contract/contract.ts';
export { defineContract } from './contract/define-contract.ts';
export { describeTool } from './contract/describe.ts';
export { contractOf, loadContract, type Draft, type Finding } from './contract/document/load-contract.ts';
export { InvalidContract } from './contract/invalid-contract.ts';
export { createExecutor, type Executor, type ExecutorOptions } from './create-executor.ts';
export { InvalidArguments } from './identity/invalid-arguments.ts';
export { operationKey } from './identity/operation-key.ts';
export type { DutyReport } from './reconcile.ts';
export type { Clock, Randomness, Store } from './ports.ts';
export type { Sealing } from './sealing.ts';
export { postgresStore } from './postgres-store.ts';
export type { WalkReport } from './walk.ts';
export { callHttp, type HttpAnswer } from './wire/call-http.ts';
export {
  defineTool,
  LookupFailed,
  NotSent,
  type EffectAnswer,
  type EffectCall,
  type EffectPage,
  type InputSchema,
  type ListQuestion,
  type LookupAnswer,
  type LookupQuestion,
  type PreconditionAnswer,
  type Tool,
} from './tool.ts';
