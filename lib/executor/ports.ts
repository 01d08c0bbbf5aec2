import type { Facts } from '../domain/facts.ts';
import type { EvidenceAnswer, Event, OutcomeReason, PendingReason } from '../domain/states.ts';
import type { PlainJson } from './identity/plain-json.ts';

/**
 * The four ports through which the executor speaks to its world: store, clock and randomness here, the wire in
 * `tool.ts`. Every store method is atomic and takes arrays, so that concurrent calls can be merged.
 */

export interface OperationId {
  tenant_id: string;
  environment: string;
  operation_key: string;
}

export type StepName =
  'proposed' | 'validated' | 'authorized' | 'sent' | 'accepted' | 'committed' | 'acknowledged';

/** One step of the trace that happened before its commit; milliseconds on the worker's monotonic clock. */
export interface Step {
  step: StepName;
  ms_ago: number;
  detail?: { [name: string]: PlainJson };
}

/** Telemetry of a trace event; never identity. */
export interface Trace {
  steps?: Step[];
  actor?: string;
  worker?: string;
  trace_id?: string;
  span_id?: string;
  tool_call_id?: string;
  delivery_id?: string;
  detail?: { [name: string]: PlainJson };
}

/** An operation as the store gives it back, judged by the database clock. */
export interface OperationRecord extends OperationId {
  tool_name: string;
  tool_version: string;
  request_fingerprint: string;
  fingerprint_version: number;
  status: string;
  pending_reason: PendingReason | null;
  reason: OutcomeReason | null;
  attempt: number;
  sent_attempt: number | null;
  doubt_attempt: number | null;
  version: number;
  lease_token: string | null;
  downstream_key: string | null;
  downstream_request_id: string | null;
  provider_job_id: string | null;
  effect_reference: string | null;
  /** False where the response was dropped or never stored; JSON null is a response. */
  has_response: boolean;
  response: PlainJson;
  /** The sensitive replay fields, sealed; base64. */
  response_sealed: string | null;
  /** The canonical request, sealed, where the contract lets recovery send again; base64. */
  request_sealed: string | null;
  approval_required: boolean;
  /** The response was dropped after its retention. */
  tombstoned: boolean;
  connector: string | null;
  actor: string | null;
  workflow_id: string | null;
  step_id: string | null;
  supersedes_key: string | null;
  successor_key: string | null;
  first_recorded_at: string | null;
  /** Until the lease ends or the next attempt is due; milliseconds. */
  wait_ms: number;
  facts: Facts;
}

export interface ClaimRow extends OperationId {
  /** What the new row becomes: this worker's attempt, or a request for approval. */
  into: 'leased' | 'awaiting_approval';
  approval_required: boolean;
  tool_name: string;
  tool_version: string;
  connector: string;
  deploy: string | null;
  request_fingerprint: string;
  fingerprint_version: number;
  request_redacted: PlainJson;
  request_sealed: string | null;
  intent_event: string | null;
  business_reference: string | null;
  workflow_id: string;
  step_id: string;
  actor: string;
  lease_owner: string;
  lease_token: string;
  /** The claim and the send are one commit. */
  send: boolean;
  downstream_key: string;
  downstream_request_id: string;
  trace: Trace;
}

/**
 * Why no row was made and none is shown: the same request is known under another key and no new intent event came with
 * this one; a row of another environment has the key; or new keys are held back after a fail-over.
 */
export type ClaimRefusal = 'sibling' | 'key_taken' | 'fail_over';

export type ClaimAnswer =
  | {
      /** This claim made the row; a leased one carries its token, so that a lost reply can be asked again. */
      claimed: boolean;
      refusal: null;
      record: OperationRecord;
    }
  | { claimed: false; refusal: ClaimRefusal; record: null };

/** What an event needs besides the row; each is read by the events that its comment names. */
export interface TransitionRow extends OperationId {
  /** send, accept, apply, refuse, release, doubt, request_approval of a leased row: the fence. acquire: the new token. */
  lease_token?: string;
  /** settle_*, resend, give_up: the version and attempt that were read before the question was asked. */
  version?: number;
  attempt?: number;
  /** acquire */
  lease_owner?: string;
  deploy?: string | null;
  send?: boolean;
  downstream_key?: string;
  /** acquire with send, send */
  downstream_request_id?: string;
  /** refuse, doubt, give_up */
  reason?: OutcomeReason;
  /** apply */
  effect_reference?: string | null;
  response?: PlainJson;
  response_sealed?: string | null;
  /** doubt: false where the tool may still be at work, because it went over its budget */
  ended?: boolean;
  /** accept */
  provider_job_id?: string;
  /** release, resend, settle_absent: milliseconds */
  retry_after_ms?: number;
  trace: Trace;
}

/** Null where the event happened, else why nothing changed. */
export type TransitionRefusal = 'fenced' | 'changed' | 'not_allowed' | 'missing';

export interface TransitionAnswer {
  refusal: TransitionRefusal | null;
  record: OperationRecord | null;
}

export interface EvidenceRow extends OperationId {
  source: 'lookup' | 'job' | 'late_answer' | 'person';
  asked_by: string;
  /** The question of the console that this answers. */
  request_id?: string;
  looked_up_by?: string;
  /** Database time at which the question was asked; the store's own time where it is left out. */
  asked_at?: string;
  /** Version and attempt that were read before the question was asked. */
  version?: number;
  attempt?: number;
  answer: EvidenceAnswer;
  authoritative: boolean;
  names_attempt?: number;
  effect_reference?: string;
  /** ISO 8601; the provider's word. */
  committed_at?: string;
  response?: PlainJson;
  response_sealed?: string | null;
  /** A job that a late answer names. */
  provider_job_id?: string;
  /** What has become of a message, by the provider's word. */
  delivery_state?: string;
  /** One sentence for people, without payload. */
  summary: string;
  detail?: { [name: string]: PlainJson };
  trace: Trace;
}

export interface EvidenceReceipt {
  evidence_id: string | null;
  /** Nothing else changed the operation between the reading and this answer. */
  unchanged: boolean;
  record: OperationRecord | null;
}

/** A record that is due for a question, with what a lookup may use. */
export interface Question extends OperationRecord {
  /** Material fields after redaction. */
  request: { [field: string]: PlainJson };
  /** Database time of the taking. */
  asked_at: string;
  /** Its provider was out of reach when the row was taken: a probe is asked first. */
  outage?: boolean;
  request_id?: string;
  asked_by?: string;
}

/** One run of a duty, for the trace of duties. */
interface DutyRun {
  duty: string;
  worker: string;
  /** How long it took, in milliseconds. */
  ms: number;
  report: { [name: string]: number };
  /** One sentence, where the run failed. */
  failed: string | null;
}

interface ToolVersion {
  name: string;
  version: string;
}

/** A tool version in one environment: a process never asks about, sends or settles what another environment did. */
export interface ServedTool extends ToolVersion {
  environment: string;
}

/** The running server, by system identifier and timeline; not accepted: claims may have been lost before it (rule 13). */
export interface Epoch {
  epoch: string;
  accepted: boolean;
}

/** A contract as it is registered: the document, its digest, and the columns that the store's rules read. */
export interface ContractRow extends ToolVersion {
  digest: string;
  body: PlainJson;
  [column: string]: PlainJson;
}

export interface Store {
  /** Answers the digest that is stored for this version. */
  registerContracts(rows: readonly ContractRow[]): Promise<string[]>;
  /** The documents of versions that this process does not hold; null for one that was never registered. */
  readContracts(rows: readonly ToolVersion[]): Promise<(PlainJson | null)[]>;
  claim(rows: readonly ClaimRow[]): Promise<ClaimAnswer[]>;
  read(rows: readonly OperationId[]): Promise<(OperationRecord | null)[]>;
  transition(event: Event, rows: readonly TransitionRow[]): Promise<TransitionAnswer[]>;
  /** Whether each lease is still held. */
  heartbeat(rows: readonly (OperationId & { lease_token: string })[]): Promise<boolean[]>;
  /** Happenings that change nothing: deliveries, denials. */
  addEvents(rows: readonly (OperationId & { kind: string; trace: Trace })[]): Promise<void>;
  recordEvidence(rows: readonly EvidenceRow[]): Promise<EvidenceReceipt[]>;
  expiredLeases(limit: number): Promise<OperationId[]>;
  /** What was never sent and is given up after the contract's `abandon_after_seconds`. */
  abandonable(limit: number): Promise<OperationId[]>;
  /** What is past its retention and has no tombstone yet. */
  pastRetention(limit: number): Promise<OperationId[]>;
  /** Takes what is due for `seconds`, so that two reconcilers do not ask at once. */
  takeReconcilable(tools: readonly ServedTool[], limit: number, seconds: number): Promise<Question[]>;
  takeLookupRequests(tools: readonly ServedTool[], limit: number, seconds: number): Promise<Question[]>;
  /** What is ready and due and carries its sealed request. */
  resendable(tools: readonly ServedTool[], limit: number): Promise<OperationRecord[]>;
  /** What was not asked because its provider is out of reach waits, and its escalation with it; answers how many. */
  postpone(rows: readonly OperationId[]): Promise<number>;
  dutyRan(run: DutyRun): Promise<void>;
  /** Which server this is, where the store can fail over; written down when it is first seen. */
  seeEpoch?(): Promise<Epoch>;
  /** What providers list, where the store keeps it. */
  walks?: WalkStore;
}

/** One walk of one list, from `after` on. */
export interface WalkRun {
  tenant_id: string;
  environment: string;
  tool_name: string;
  run_id: string;
  after: string | null;
}

/** An effect that a provider lists. */
export type ListedEffectRow = {
  reference: string;
  downstream_key: string | null;
  committed_at: string | null;
};

/** The store of reverse reconciliation. A run that was overtaken changes nothing any more. */
export interface WalkStore {
  /** Takes lists that are due for `seconds`. */
  take(
    worker: string,
    tools: readonly { name: string; environment: string }[],
    limit: number,
    seconds: number,
  ): Promise<WalkRun[]>;
  /** Keeps one page and the list for `seconds` more; false where the run was overtaken. */
  storePage(
    run: WalkRun,
    effects: readonly ListedEffectRow[],
    next: string | null,
    seconds: number,
  ): Promise<boolean>;
  /** Ends a run; one that did not fail is judged. Null where it was overtaken. */
  end(
    run: WalkRun,
    failed: string | null,
    againSeconds: number,
  ): Promise<{ opened: number; closed: number } | null>;
}

/** Monotonic time alone: no wall clock is ever compared with a lease. */
export interface Clock {
  /** Milliseconds since some fixed start. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, call: () => void): () => void;
}

export interface Randomness {
  /** A random (version 4) UUID. */
  uuid(): string;
  /** Uniform in [0, 1). */
  fraction(): number;
}
