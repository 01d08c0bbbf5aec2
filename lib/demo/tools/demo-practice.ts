import type { ContractInput } from '../../executor/index.ts';

type Part<Field extends keyof ContractInput> = NonNullable<ContractInput[Field]>;

/** How the demo's agents make keys; every tool adds which action of a customer is a new operation. */
export const agentKey = {
  scope: ['tenant', 'environment', 'workflow', 'step'],
  created_on: 'The workflow enters the step that makes this call.',
  reused_for: 'Every delivery of the step: after a lost answer, by another worker, after a restart.',
  boundaries: 'Tenants and environments share nothing; a step belongs to one tool and one workflow.',
} satisfies Omit<Part<'operation_key'>, 'new_key_on'>;

export const asksAgain = { recheck_authorization: 'immediately_before_effect' } satisfies Part<'security'>;

const DAY = 86_400;

/** The delays of the demo's agents: no queue and no schedule lies between a call and its duplicate. */
const delays = {
  model_retry: 600,
  queue_redelivery: 0,
  worker_restart: 300,
  network_partition: 3_600,
  human_retry: 7 * DAY,
  provider_timeout: 60,
  scheduled_job: 0,
  disaster_recovery: 7 * DAY,
} satisfies Part<'retention'>['delays'];

/** Together less than 30 days. */
export const aMonth = {
  delays,
  reconcile_seconds: 3 * DAY,
  margin_seconds: 7 * DAY,
} satisfies Part<'retention'>;

/** Together less than 90 days: customers dispute charges and refunds for weeks. */
export const aQuarter = {
  delays: { ...delays, human_retry: 45 * DAY },
  reconcile_seconds: 7 * DAY,
  margin_seconds: 14 * DAY,
} satisfies Part<'retention'>;

/** Which rows of the fault run play what a reviewer asks of every tool. */
export const faultTests = {
  duplicate_same_key: ['T1.1', 'T2.1'],
  lost_response_after_commit: ['T1.2', 'T2.2'],
  crash_before_completion: ['T1.3', 'T2.3'],
  concurrent_claim: ['T1.4', 'T2.4'],
  changed_fingerprint: ['T1.5', 'T2.5'],
  new_key_same_arguments: ['T1.6', 'T2.6'],
  revoked_authorization: ['T1.7', 'T2.7'],
  expired_key: ['T1.8', 'T2.8'],
  malformed_result: ['T1.10'],
} satisfies Part<'tests'>;
