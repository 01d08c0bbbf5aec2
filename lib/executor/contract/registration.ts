import type { ContractRow } from '../ports.ts';
import { capabilitiesOf, recoverySeconds } from './capabilities.ts';
import { contractDigest } from './contract-digest.ts';
import type { Contract } from './contract.ts';
import { InvalidContract } from './invalid-contract.ts';

/** The row of `tool_contracts`: the document, its digest, and the columns that the store's rules read. */
export function registrationOf(contract: Contract): ContractRow {
  refuseUnsupported(contract);
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
  };
}

/** What this executor would not keep is refused when the process starts, not when the call is made. */
function refuseUnsupported(contract: Contract): void {
  const refuse = (path: string, sentence: string) => {
    throw new InvalidContract(`${contract.name}@${contract.version}`, [{ path, sentence }]);
  };
  if (
    contract.decision === 'automate_with_approval' ||
    (contract.approval && 'valid_seconds' in contract.approval)
  )
    refuse(
      'approval',
      'Approvals before the effect are not performed by this version; keep the tool manual.',
    );
  if (contract.replay.sensitive.length > 0)
    refuse(
      'replay.sensitive',
      'Results are not stored sealed by this version; leave sensitive fields out of replay.fields.',
    );
  if (contract.effect_class === 'read')
    refuse('effect_class', 'A read has no effect to record; call it without the executor.');
  if (contract.late_arrival === 'reconcile_first')
    refuse(
      'late_arrival',
      'Retention with a reconciliation before a late arrival is not performed by this version; use reject.',
    );
  if (contract.require_intent === 'always')
    refuse('require_intent', 'Sibling detection is not performed by this version; use on_sibling or never.');
}
