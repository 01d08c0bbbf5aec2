import type { ContractInput } from '../../contract.ts';
import { FAULT_ROWS } from '../../contract-parts.ts';
import { everyField, ticketsCreate } from '../../sample-contracts.ts';
import type { FaultRun } from '../fault-run.ts';

/** For tests: a keyed tool that answers every question of a review. */
export const reviewed = {
  ...ticketsCreate,
  use_when: everyField.use_when,
  do_not_use_when: everyField.do_not_use_when,
  operation_key: everyField.operation_key,
  postcondition: { subject: 'subject' },
  retention: everyField.retention,
  security: { recheck_authorization: 'immediately_before_effect' },
  tests: { lost_response: ['T1.2', 'T2.2'], race: ['T1.4', 'T2.4'] },
  decision: 'manual',
  duplicate_cost: 'medium',
  next_review: '2027-06-01',
} satisfies ContractInput;

/** Noon of the day on which tests review. */
export const NOW = Date.parse('2026-12-01T12:00:00Z');

/** A fault run of a digest in which every row passed. */
export function passedRun(digest: string, change: Partial<FaultRun> = {}): FaultRun {
  return {
    tool: 'tickets.create',
    contract_digest: digest,
    started_at: '2026-12-01T09:00:00Z',
    rows: FAULT_ROWS.filter((id) => !id.startsWith('T3.')).map((id) => ({ id, passed: true })),
    ...change,
  };
}
