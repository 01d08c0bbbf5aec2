import type { Contract, ContractInput } from '../contract/contract.ts';
import { defineContract } from '../contract/define-contract.ts';
import type { DownstreamNature } from './downstream.ts';

export interface Configuration {
  name: string;
  contract: Contract;
  downstream: DownstreamNature;
  /** The second worker is delivered another step with the same arguments. */
  siblings: boolean;
}

/** Small times, in the order that real ones have: heartbeat < lease < budget < settle < recovery < key window. */
export const BASE: ContractInput = {
  name: 'simulated.act',
  version: '1',
  purpose: 'Make one effect that can be counted.',
  effect_class: 'key_based',
  effects: ['one record'],
  material: { value: { rules: [] } },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'simulated',
    deduplicates: false,
    key: 'operation_key',
    call_budget_ms: 3_000,
    settle_seconds: 2,
    own_retries_off: true,
  },
  receipt: { field: 'id', required: true },
  postcondition: { value: 'value' },
  replay: { fields: ['id'], sensitive: [], max_bytes: 1_024 },
  attempts: { max: 3, backoff_seconds: 1 },
  lease_seconds: 2,
  retention_seconds: 86_400,
  late_arrival: 'tombstone',
  require_intent: 'never',
  decision: 'automate',
  owner: { team: 'simulation' },
  response_seconds: 600,
  cost_of_duplicate: 'Two records.',
  cost_of_missing: 'No record.',
};

const LOOKUP = { by: 'operation_key', deadline_seconds: 20, compare: { value: 'value' } } as const;
const AUTHORITATIVE = { lookup: { ...LOOKUP, authoritative: true } };
const keyed = (seconds: number) => ({
  downstream: { ...BASE.downstream, deduplicates: true, key_window_seconds: seconds },
});

function configuration(name: string, change: Partial<ContractInput>): Configuration {
  const contract = defineContract({ ...BASE, ...change });
  return {
    name,
    contract,
    downstream: {
      deduplicates: contract.downstream.deduplicates,
      remembersMs: (contract.downstream.key_window_seconds ?? 0) * 1000,
      conditional: contract.version_condition !== undefined,
      jobMs: contract.job_seconds === undefined ? null : contract.job_seconds * 1000,
    },
    siblings: contract.require_intent !== 'never',
  };
}

/** One for each way in which a contract can find out, or send again, or neither. */
export const CONFIGURATIONS: readonly Configuration[] = [
  configuration('keyed', { ...keyed(60), ...AUTHORITATIVE }),
  // the downstream forgets the key while recovery still lasts
  configuration('forgetful', { ...keyed(9), ...AUTHORITATIVE }),
  configuration('keyed-blind', { ...keyed(60), recovery_seconds: 20 }),
  configuration('looked-up', AUTHORITATIVE),
  configuration('advisory', { lookup: { ...LOOKUP, authoritative: false } }),
  configuration('blind', { effect_class: 'non_idempotent', mode: 'one_shot' }),
  configuration('irreversible', {
    effect_class: 'irreversible',
    approval: { not_needed_because: 'It is simulated.', signed_by: 'nobody' },
    ...AUTHORITATIVE,
  }),
  configuration('absolute', {
    effect_class: 'natural_idempotent',
    material: { value: { rules: [] }, expected_version: { rules: [] } },
    version_condition: 'expected_version',
    ...AUTHORITATIVE,
  }),
  configuration('approved', {
    ...AUTHORITATIVE,
    approval: { valid_seconds: 4 },
    decision: 'automate_with_approval',
    abandon_after_seconds: 30,
  }),
  configuration('job', { ...keyed(60), ...AUTHORITATIVE, job_seconds: 8 }),
  configuration('sibling', { ...AUTHORITATIVE, require_intent: 'on_sibling', sibling_window_seconds: 600 }),
  configuration('own-send', { ...AUTHORITATIVE, send_commit: 'own' }),
  configuration('resent', { ...keyed(60), ...AUTHORITATIVE, resend_by_recovery: true }),
];
