import { randomUUID } from 'node:crypto';
import type { ContractInput } from '../contract/contract.ts';
import { defineContract } from '../contract/define-contract.ts';
import { registrationOf } from '../contract/registration.ts';
import type { Event } from '../../domain/states.ts';
import type { ClaimRow, EvidenceRow, OperationId, Store, TransitionAnswer, TransitionRow } from '../ports.ts';
import { BASE } from '../simulation/configurations.ts';

/** A store under test, whose time can pass. */
export interface Subject {
  store: Store;
  /** Lets seconds pass for everything that the store holds. */
  pass: (seconds: number) => Promise<void>;
  /** What a time, read when so many seconds had passed, is called now. */
  instant: (text: string, passedThen: number) => string;
  passed: () => number;
}

/** Long times, which a busy machine does not overrun. */
const TIMES: Partial<ContractInput> = {
  downstream: { ...BASE.downstream, call_budget_ms: 30_000, settle_seconds: 20 },
  attempts: { max: 3, backoff_seconds: 10 },
  lease_seconds: 20,
  retention_seconds: 10_000,
  abandon_after_seconds: 5_000,
};
const LOOKUP = { by: 'operation_key', deadline_seconds: 200, compare: {} } as const;
const KEYED = {
  ...TIMES.downstream,
  deduplicates: true,
  key_window_seconds: 600,
} as ContractInput['downstream'];

/** What the contracts under test can do. */
export const KINDS = {
  keyed: { downstream: KEYED, lookup: { ...LOOKUP, authoritative: true } },
  looked_up: { lookup: { ...LOOKUP, authoritative: true } },
  advisory: { lookup: { ...LOOKUP, authoritative: false } },
  keyed_blind: { downstream: KEYED, recovery_seconds: 200 },
  blind: { effect_class: 'non_idempotent', mode: 'one_shot' },
  irreversible: {
    effect_class: 'irreversible',
    lookup: { ...LOOKUP, authoritative: true },
    approval: { not_needed_because: 'It is a test.', signed_by: 'nobody' },
  },
  approved: {
    lookup: { ...LOOKUP, authoritative: true },
    approval: { valid_seconds: 60 },
    decision: 'automate_with_approval',
  },
  job: { lookup: { ...LOOKUP, authoritative: true }, job_seconds: 100 },
  sibling: { lookup: { ...LOOKUP, authoritative: true }, require_intent: 'on_sibling' },
} as const satisfies Record<string, Partial<ContractInput>>;
export type Kind = keyof typeof KINDS;

const contractOf = (kind: Kind) =>
  defineContract({ ...BASE, ...TIMES, name: `tested.${kind}`, ...KINDS[kind] });

export const versionOf = (kind: Kind) => ({
  name: `tested.${kind}`,
  version: '1',
  environment: 'production',
});

export async function registerKinds(store: Store): Promise<void> {
  await store.registerContracts(
    (Object.keys(KINDS) as Kind[]).map((kind) => registrationOf(contractOf(kind))),
  );
}

let keys = 0;
export const newId = (): OperationId => ({
  tenant_id: 'acme',
  environment: 'production',
  operation_key: `acme:production:conformance:step_${++keys}`,
});

export const claimRow = (kind: Kind, id: OperationId, change: Partial<ClaimRow> = {}): ClaimRow => ({
  ...id,
  into: 'leased',
  approval_required: false,
  tool_name: `tested.${kind}`,
  tool_version: '1',
  connector: `connector of ${kind}`,
  deploy: null,
  request_fingerprint: `fingerprint of ${id.operation_key}`,
  fingerprint_version: 1,
  request_redacted: { value: 'v' },
  request_sealed: null,
  intent_event: null,
  business_reference: null,
  workflow_id: 'conformance',
  step_id: id.operation_key,
  actor: 'agent',
  lease_owner: 'worker',
  lease_token: randomUUID(),
  send: true,
  downstream_key: id.operation_key,
  downstream_request_id: randomUUID(),
  trace: {},
  ...change,
});

/** A claimed operation, and what its worker needs to go on. */
export interface Held {
  id: OperationId;
  token: string;
}

export async function claimed(store: Store, kind: Kind, change: Partial<ClaimRow> = {}): Promise<Held> {
  const id = newId();
  const row = claimRow(kind, id, change);
  const [answer] = await store.claim([row]);
  if (answer?.claimed !== true) throw new Error(`${id.operation_key} was not claimed: ${answer?.refusal}`);
  return { id, token: row.lease_token };
}

export async function fire(
  store: Store,
  event: Event,
  id: OperationId,
  change: Partial<TransitionRow> = {},
): Promise<TransitionAnswer> {
  const [answer] = await store.transition(event, [{ ...id, trace: {}, ...change }]);
  if (answer === undefined) throw new Error('the store answered nothing');
  return answer;
}

export async function read(store: Store, id: OperationId) {
  const [record] = await store.read([id]);
  if (record == null) throw new Error(`no operation ${id.operation_key}`);
  return record;
}

export const evidenceRow = (id: OperationId, change: Partial<EvidenceRow>): EvidenceRow => ({
  ...id,
  source: 'lookup',
  asked_by: 'system:reconcile',
  answer: 'absent',
  authoritative: true,
  summary: 'It was asked.',
  trace: {},
  ...change,
});

export async function hear(store: Store, id: OperationId, change: Partial<EvidenceRow>) {
  const [receipt] = await store.recordEvidence([evidenceRow(id, change)]);
  if (receipt?.record == null) throw new Error(`no operation ${id.operation_key}`);
  return { ...receipt, record: receipt.record };
}

/** An operation whose only attempt ended in doubt. */
export async function doubted(store: Store, kind: Kind, change: Partial<ClaimRow> = {}): Promise<Held> {
  const held = await claimed(store, kind, change);
  const { refusal } = await fire(store, 'doubt', held.id, { lease_token: held.token, reason: 'no_answer' });
  if (refusal !== null) throw new Error(`doubt was ${refusal}`);
  return held;
}

/** What was read before a question is asked: the fence of what settles. */
export const asRead = ({ version, attempt }: { version: number; attempt: number }) => ({ version, attempt });
