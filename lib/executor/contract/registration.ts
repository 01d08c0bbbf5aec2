import type { ContractRow } from '../ports.ts';
import { capabilitiesOf, recoverySeconds } from './capabilities.ts';
import { contractDigest } from './contract-digest.ts';
import type { Contract } from './contract.ts';

/** For so long a provider that does not answer keeps its operations from becoming cases, where the contract does not say. */
const OUTAGE_SECONDS = 86_400;

/** The row of `tool_contracts`: the document, its digest, and the columns that the store's rules read. */
export function registrationOf(contract: Contract): ContractRow {
  const { lookup, resend, delicate } = capabilitiesOf(contract);
  return {
    name: contract.name,
    version: contract.version,
    digest: contractDigest(contract),
    body: contract,
    effect_class: contract.effect_class,
    lookup,
    resend,
    delicate,
    key_window_seconds: contract.downstream.key_window_seconds ?? null,
    call_budget_ms: contract.downstream.call_budget_ms,
    settle_seconds: contract.downstream.settle_seconds,
    recovery_seconds: recoverySeconds(contract),
    job_seconds: contract.job_seconds ?? null,
    max_attempts: contract.attempts.max,
    backoff_seconds: contract.attempts.backoff_seconds,
    lease_seconds: contract.lease_seconds,
    response_seconds: contract.response_seconds,
    retention_seconds: contract.retention_seconds,
    abandon_after_seconds: contract.abandon_after_seconds ?? null,
    decision: contract.decision,
    one_per_reference: contract.one_effect_per_business_reference ?? false,
    require_intent: contract.require_intent,
    sibling_window_seconds: contract.sibling_window_seconds ?? 0,
    approval_valid_seconds:
      contract.approval && 'valid_seconds' in contract.approval ? contract.approval.valid_seconds : null,
    outage_seconds: contract.lookup?.outage_seconds ?? OUTAGE_SECONDS,
  };
}
