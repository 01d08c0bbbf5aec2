import type { Facts } from '../../domain/facts.ts';
import type { Event } from '../../domain/states.ts';
import { isAllowed } from '../../domain/transitions.ts';
import type {
  ClaimAnswer,
  ClaimRow,
  ClaimRefusal,
  ContractRow,
  EvidenceReceipt,
  EvidenceRow,
  OperationId,
  OperationRecord,
  Question,
  TransitionAnswer,
  TransitionRow,
  ServedTool,
} from '../ports.ts';
import { heard, isOutage, waitingFor, type StoredHealth } from './connector-health.ts';
import {
  close,
  EXECUTOR_EVENTS,
  fire,
  isFencedByToken,
  isFencedByVersion,
  type ExecutorEvent,
} from './fire-event.ts';
import { contradicts, nextQuestionAt, replacesEvidence } from './evidence-rules.ts';
import { evidenceFact, factsAt, type Beside } from './stored-facts.ts';
import {
  assertChecks,
  storedContract,
  type StoredApproval,
  type StoredContract,
  type StoredEvidence,
  type StoredRow,
} from './stored-row.ts';

interface LookupRequest extends OperationId {
  request_id: string;
  asked_by: string;
  asked_at: number;
  taken_until: number | null;
  answered: boolean;
}

type ToolVersion = { name: string; version: string };
const named = ({ name, version }: ToolVersion) => `${name}@${version}`;
const servedAs = (row: StoredRow) => `${row.tool_name}@${row.tool_version} ${row.environment}`;
const serving = (tools: readonly ServedTool[]) =>
  new Set(tools.map((tool) => `${named(tool)} ${tool.environment}`));
const idOf = ({ tenant_id, environment, operation_key }: OperationId): OperationId => ({
  tenant_id,
  environment,
  operation_key,
});

/**
 * The functions of the executor's store, in memory, each one atomic: what they do is what the SQL of the same name
 * does, and one suite of behaviours is run against both. One tenant's keys; no adopted rows.
 */
export class StoreModel {
  readonly contracts = new Map<string, StoredContract>();
  readonly rows = new Map<string, StoredRow>();
  readonly evidence = new Map<string, readonly StoredEvidence[]>();
  readonly approvals = new Map<string, readonly StoredApproval[]>();
  readonly health = new Map<string, StoredHealth>();
  readonly requests: LookupRequest[] = [];
  happenings = 0;
  readonly #now: () => number;

  /** @param now the database clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  registerContract(row: ContractRow): string {
    const stored = this.contracts.get(named(row));
    if (stored === undefined) this.contracts.set(named(row), storedContract(row));
    return (stored ?? row).digest;
  }

  claim(item: ClaimRow): ClaimAnswer {
    const contract = this.contracts.get(`${item.tool_name}@${item.tool_version}`);
    if (contract === undefined)
      throw new Error(`contract ${item.tool_name} ${item.tool_version} is not registered`);
    const there = this.rows.get(item.operation_key);
    if (there !== undefined && there.environment !== item.environment) return refused('key_taken');
    if (there !== undefined)
      return { claimed: there.lease_token === item.lease_token, refusal: null, record: this.record(there) };
    if (this.#hasSibling(item, contract)) return refused('sibling');
    const row = this.#write(claimedRow(item, contract, this.#now()));
    if (item.into === 'awaiting_approval') this.#askApproval(row);
    return { claimed: true, refusal: null, record: this.record(row) };
  }

  read(id: OperationId): OperationRecord | null {
    const row = this.#find(id);
    return row === undefined ? null : this.record(row);
  }

  transition(event: Event, item: TransitionRow): TransitionAnswer {
    if (!isExecutorEvent(event)) throw new Error(`${event} is no event of an executor`);
    const row = this.#find(item);
    if (row === undefined) return { refusal: 'missing', record: null };
    const at = this.#now();
    const beside = this.beside(row);
    const facts = factsAt(row, beside, at);
    const refusal = refusalOf(event, row, item, facts);
    if (refusal !== null) return { refusal, record: this.record(row) };
    const { contract, evidence } = beside;
    const fired = fire(row, { event, item, facts, contract, evidence, at });
    const isSecond = row.status !== 'applied' && contract.one_per_reference && this.#hasSecondEffect(fired);
    const isContradicted = this.#namesAnotherReceipt(fired) || isSecond;
    const stored = this.#write(close(event, fired, contract, at, isContradicted));
    if (event === 'request_approval') this.#askApproval(stored);
    if (event === 'acquire') this.#consumeApproval(stored, contract, at);
    return { refusal: null, record: this.record(stored) };
  }

  heartbeat(item: OperationId & { lease_token: string }): boolean {
    const row = this.#find(item);
    const at = this.#now();
    if (row === undefined || row.lease_token !== item.lease_token) return false;
    if (row.lease_until === null || row.lease_until <= at) return false;
    const { contract } = this.beside(row);
    const limit =
      row.sent_attempt === row.attempt && row.quiet_until !== null
        ? row.quiet_until
        : row.held_since + contract.call_budget_ms;
    const until = Math.max(row.lease_until, Math.min(at + contract.lease_seconds * 1000, limit));
    this.#write({ ...row, lease_until: until, case_at: until + 60_000 });
    return true;
  }

  recordEvidence(item: EvidenceRow): EvidenceReceipt {
    const row = this.#find(item);
    if (row === undefined) return { evidence_id: null, record: null } as EvidenceReceipt;
    const at = this.#now();
    const { contract, evidence: before } = this.beside(row);
    const earlier = this.evidence.get(row.operation_key) ?? [];
    const given = storedEvidence(item, `${row.operation_key} evidence ${earlier.length + 1}`, at);
    this.evidence.set(row.operation_key, [...earlier, given]);
    for (const request of this.requests)
      if (request.request_id === given.request_id && request.operation_key === row.operation_key)
        request.answered = true;

    const changes = replacesEvidence(row, before, given);
    const n: StoredRow = { ...row };
    if (changes) {
      n.evidence = given.answer;
      n.evidence_id = given.evidence_id;
      n.evidence_asked_at = given.asked_at;
    }
    const concludes =
      changes &&
      (n.evidence !== row.evidence ||
        evidenceFact(n, contract, given) !== evidenceFact(row, contract, before) ||
        (given.effect_reference ?? null) !== (before?.effect_reference ?? null));
    const disagrees = contradicts(row, contract, given);
    // a job's own last word ends it; a job that a late answer names can be asked for
    if (given.source === 'job' && (given.answer === 'found' || given.answer === 'refused'))
      n.job_ended_at = at;
    n.provider_job_id ??= item.provider_job_id ?? null;
    const changesJob = n.job_ended_at !== row.job_ended_at || n.provider_job_id !== row.provider_job_id;
    if (concludes || changesJob || (disagrees && row.contradicted_at === null)) n.version += 1;
    if (disagrees) {
      n.contradicted_at ??= at;
      n.case_at ??= at;
    }
    n.updated_at = at;
    const health = this.#heard(row, given, at);
    if (row.pending_reason === 'recovering' || row.pending_reason === 'accepted') {
      n.next_attempt_at = nextQuestionAt(row, contract, given, earlier.length + 1, at);
      if (health !== undefined && given.answer === 'failed' && isOutage(health, contract, at))
        this.#wait(n, waitingFor(row, health, n.next_attempt_at, at));
    }
    const stored = this.#write(n);
    if (given.source === 'late_answer' && isAllowed('settle_found', factsAt(stored, this.beside(stored), at)))
      this.transition('settle_found', { ...idOf(row), trace: item.trace });
    return {
      evidence_id: given.evidence_id,
      unchanged: row.version === item.version && row.attempt === item.attempt,
      record: this.read(row),
    };
  }

  /** Happenings that change nothing are counted, since nothing here reads them. */
  addEvent(_item: OperationId): void {
    this.happenings += 1;
  }

  expiredLeases(limit: number): OperationId[] {
    return [...this.rows.values()]
      .filter((o) => o.pending_reason === 'leased' && o.lease_until !== null && o.lease_until <= this.#now())
      .sort((a, b) => (a.lease_until ?? 0) - (b.lease_until ?? 0))
      .slice(0, limit)
      .map(idOf);
  }

  abandonable(limit: number): OperationId[] {
    const may = (o: StoredRow) => o.doubt_attempt === null && isAllowed('abandon', this.facts(o));
    return [...this.rows.values()]
      .filter(may)
      .sort((a, b) => a.created_at - b.created_at)
      .slice(0, limit)
      .map(idOf);
  }

  pastRetention(limit: number): OperationId[] {
    return [...this.rows.values()]
      .filter(
        (o) =>
          o.expires_at !== null &&
          o.expires_at <= this.#now() &&
          o.tombstoned_at === null &&
          o.contradicted_at === null,
      )
      .sort((a, b) => (a.expires_at ?? 0) - (b.expires_at ?? 0))
      .slice(0, limit)
      .map(idOf);
  }

  /** What waits for a provider that is out of reach, and was not asked because a probe was not answered. */
  postpone(id: OperationId): boolean {
    const row = this.#find(id);
    if (row === undefined || (row.pending_reason !== 'recovering' && row.pending_reason !== 'accepted'))
      return false;
    const at = this.#now();
    const health = this.health.get(connectorOf(row));
    if (health === undefined || !isOutage(health, this.beside(row).contract, at)) return false;
    const n = { ...row, next_attempt_at: at + 15_000, updated_at: at };
    this.#wait(n, waitingFor(row, health, n.next_attempt_at, at));
    this.#write(n);
    return true;
  }

  takeReconcilable(tools: readonly ServedTool[], limit: number, seconds: number): Question[] {
    const due = this.reconcilable(tools, limit);
    const over = this.givenUp(tools, limit);
    return [
      ...due.map((row) => this.#write({ ...row, next_attempt_at: this.#now() + seconds * 1000 })),
      ...over,
    ].map((row) => ({
      ...this.#question(row),
      outage: isOutage(this.health.get(connectorOf(row)), this.beside(row).contract, this.#now()),
    }));
  }

  /** What `takeReconcilable` would take and keep from the next one. */
  reconcilable(tools: readonly ServedTool[], limit: number): StoredRow[] {
    const at = this.#now();
    return this.#held(tools)
      .filter(
        (o) =>
          (o.pending_reason === 'recovering' ||
            o.pending_reason === 'accepted' ||
            (o.status === 'unknown' && this.#foundByMachine(o))) &&
          (o.next_attempt_at ?? -Infinity) <= at,
      )
      .sort((a, b) => (a.next_attempt_at ?? -Infinity) - (b.next_attempt_at ?? -Infinity))
      .slice(0, limit);
  }

  /** What is ready in doubt and cannot be sent any more, or was found. */
  givenUp(tools: readonly ServedTool[], limit: number): StoredRow[] {
    const at = this.#now();
    return this.#held(tools)
      .filter((o) => {
        if (o.pending_reason !== 'ready' || o.doubt_attempt === null) return false;
        const facts = factsAt(o, this.beside(o), at);
        return isAllowed('settle_found', facts) || isAllowed('give_up', facts);
      })
      .sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0))
      .slice(0, limit);
  }

  /** What the reconcile duty may send again from the sealed request. */
  resendable(tools: readonly ServedTool[], limit: number): OperationRecord[] {
    return this.#held(tools)
      .filter(
        (o) =>
          o.pending_reason === 'ready' &&
          o.request_sealed !== null &&
          (o.next_attempt_at ?? Infinity) <= this.#now() &&
          isAllowed('acquire', this.facts(o)),
      )
      .sort((a, b) => (a.next_attempt_at ?? 0) - (b.next_attempt_at ?? 0))
      .slice(0, limit)
      .map((o) => this.record(o));
  }

  /** A question of the console, as `app.ask_lookup` stores it. */
  askLookup(id: OperationId, requestId: string, askedBy: string): void {
    this.requests.push({
      ...idOf(id),
      request_id: requestId,
      asked_by: askedBy,
      asked_at: this.#now(),
      taken_until: null,
      answered: false,
    });
  }

  takeLookupRequests(tools: readonly ServedTool[], limit: number, seconds: number): Question[] {
    const at = this.#now();
    const versions = serving(tools);
    return this.requests
      .filter((r) => !r.answered && (r.taken_until ?? -Infinity) <= at)
      .flatMap((request) => {
        const row = this.#find(request);
        return row !== undefined && versions.has(servedAs(row)) ? [{ request, row }] : [];
      })
      .slice(0, limit)
      .map(({ request, row }) => {
        request.taken_until = at + seconds * 1000;
        return { ...this.#question(row), request_id: request.request_id, asked_by: request.asked_by };
      });
  }

  /** Replaces one row by another value of it, after the table's CHECKs; for what is written beside the executor. */
  write(row: StoredRow): StoredRow {
    return this.#write(row);
  }

  facts(row: StoredRow): Facts {
    return factsAt(row, this.beside(row), this.#now());
  }

  beside(row: StoredRow): Beside {
    const contract = this.contracts.get(`${row.tool_name}@${row.tool_version}`);
    if (contract === undefined) throw new Error(`${row.tool_name} ${row.tool_version} is not registered`);
    const evidence =
      row.evidence_id === null
        ? undefined
        : this.evidence.get(row.operation_key)?.find((l) => l.evidence_id === row.evidence_id);
    const predecessor = row.supersedes_key === null ? undefined : this.rows.get(row.supersedes_key);
    return { contract, evidence, predecessor, approvals: this.approvals.get(row.operation_key) ?? NONE };
  }

  /** `app.record` */
  record(row: StoredRow): OperationRecord {
    const at = this.#now();
    const beside = this.beside(row);
    const retention = beside.contract.retention_seconds * 1000;
    return {
      tenant_id: row.tenant_id,
      environment: row.environment,
      operation_key: row.operation_key,
      tool_name: row.tool_name,
      tool_version: row.tool_version,
      request_fingerprint: row.request_fingerprint,
      fingerprint_version: row.fingerprint_version,
      status: row.status,
      pending_reason: row.pending_reason,
      reason: row.reason,
      attempt: row.attempt,
      sent_attempt: row.sent_attempt,
      doubt_attempt: row.doubt_attempt,
      version: row.version,
      lease_token: row.lease_token,
      downstream_key: row.downstream_key,
      downstream_request_id: row.downstream_request_id,
      provider_job_id: row.provider_job_id,
      effect_reference: row.effect_reference,
      has_response: row.response !== undefined,
      response: row.response ?? null,
      response_sealed: row.response_sealed,
      request_sealed: row.request_sealed,
      approval_required: row.approval_required,
      tombstoned: row.tombstoned_at !== null,
      connector: row.connector,
      actor: row.actor,
      workflow_id: row.workflow_id,
      step_id: row.step_id,
      supersedes_key: row.supersedes_key,
      successor_key: row.successor_key,
      first_recorded_at: row.expires_at === null ? null : instant(row.expires_at - retention),
      wait_ms: Math.max(0, Math.ceil((row.lease_until ?? row.next_attempt_at ?? at) - at)),
      facts: factsAt(row, beside, at),
    };
  }

  /** Rule 10: a new key for a request that is known under another one needs a new intent event. */
  #hasSibling(item: ClaimRow, contract: StoredContract): boolean {
    if (contract.require_intent === 'never') return false;
    const siblings = [...this.rows.values()].filter(
      (s) =>
        s.request_fingerprint === item.request_fingerprint &&
        s.tool_name === item.tool_name &&
        s.environment === item.environment,
    );
    if (item.intent_event !== null) return siblings.some((s) => s.intent_event === item.intent_event);
    if (contract.require_intent === 'always') return true;
    const since = this.#now() - contract.sibling_window_seconds * 1000;
    return siblings.some(
      (s) =>
        s.status === 'pending' ||
        s.status === 'unknown' ||
        s.contradicted_at !== null ||
        (s.status === 'applied' && s.updated_at > since),
    );
  }

  #askApproval(row: StoredRow): void {
    const asked: StoredApproval = {
      request_fingerprint: row.request_fingerprint,
      tool_version: row.tool_version,
      state: 'requested',
      valid_until: null,
      consumed_at: null,
    };
    this.approvals.set(row.operation_key, [...(this.approvals.get(row.operation_key) ?? []), asked]);
  }

  #consumeApproval(row: StoredRow, contract: StoredContract, at: number): void {
    if (!row.approval_required && contract.decision !== 'automate_with_approval') return;
    const approvals = this.approvals.get(row.operation_key) ?? [];
    this.approvals.set(
      row.operation_key,
      approvals.map((a) =>
        a.state === 'approved' && a.consumed_at === null && (a.valid_until ?? at) > at
          ? { ...a, consumed_at: at }
          : a,
      ),
    );
  }

  #heard(row: StoredRow, given: StoredEvidence, at: number): StoredHealth | undefined {
    const health = heard(this.health.get(connectorOf(row)), row, given, at);
    if (health === undefined) this.health.delete(connectorOf(row));
    else this.health.set(connectorOf(row), health);
    return health;
  }

  #wait(row: StoredRow, until: number): void {
    row.recover_until = until;
    if (row.pending_reason === 'recovering') row.case_at = until;
  }

  #question(row: StoredRow): Question {
    const request = row.request_redacted;
    return {
      ...this.record(row),
      asked_at: instant(this.#now()),
      request: (request ?? {}) as Question['request'],
    };
  }

  #held(tools: readonly ServedTool[]): StoredRow[] {
    const versions = serving(tools);
    return [...this.rows.values()].filter((o) => versions.has(servedAs(o)));
  }

  /** What a person asked for is that person's to decide. */
  #foundByMachine(row: StoredRow): boolean {
    const { evidence } = this.beside(row);
    return row.evidence === 'found' && evidence?.authoritative === true && evidence.request_id === undefined;
  }

  #namesAnotherReceipt(row: StoredRow): boolean {
    return (
      row.evidence === 'found' &&
      (this.evidence.get(row.operation_key) ?? []).some(
        (l) =>
          l.answer === 'found' &&
          l.authoritative &&
          l.effect_reference !== undefined &&
          row.effect_reference !== null &&
          l.effect_reference !== row.effect_reference,
      )
    );
  }

  /** Whether this tool has had another effect for the same business reference. */
  #hasSecondEffect(row: StoredRow): boolean {
    return (
      row.business_reference !== null &&
      [...this.rows.values()].some(
        (x) =>
          x.business_reference === row.business_reference &&
          x.environment === row.environment &&
          x.tool_name === row.tool_name &&
          x.operation_key !== row.operation_key &&
          x.status === 'applied' &&
          x.effect_reference !== row.effect_reference,
      )
    );
  }

  #find({ tenant_id, environment, operation_key }: OperationId): StoredRow | undefined {
    const row = this.rows.get(operation_key);
    return row?.tenant_id === tenant_id && row.environment === environment ? row : undefined;
  }

  #write(row: StoredRow): StoredRow {
    assertChecks(row);
    this.rows.set(row.operation_key, row);
    return row;
  }
}

const NONE: readonly never[] = [];
const connectorOf = (row: StoredRow) => `${row.environment} ${row.connector}`;
const refused = (refusal: ClaimRefusal): ClaimAnswer => ({ claimed: false, refusal, record: null });

const instant = (at: number) => new Date(at).toISOString();

const isExecutorEvent = (event: Event): event is ExecutorEvent =>
  (EXECUTOR_EVENTS as readonly Event[]).includes(event);

/** The fences come first: they say who may ask at all. */
function refusalOf(
  event: ExecutorEvent,
  row: StoredRow,
  item: TransitionRow,
  facts: Facts,
): TransitionAnswer['refusal'] {
  const isFenced = isFencedByToken(event) || (event === 'request_approval' && row.lease_token !== null);
  if (isFenced && (row.lease_token === null || row.lease_token !== item.lease_token)) return 'fenced';
  if (isFencedByVersion(event) || (event === 'settle_found' && item.version !== undefined))
    if (row.version !== item.version || row.attempt !== item.attempt) return 'changed';
  return isAllowed(event, facts) ? null : 'not_allowed';
}

function storedEvidence(item: EvidenceRow, id: string, at: number): StoredEvidence {
  return {
    evidence_id: id,
    source: item.source,
    answer: item.answer,
    authoritative: item.authoritative && item.source !== 'person',
    asked_at: item.asked_at === undefined ? at : Date.parse(item.asked_at),
    ...(item.request_id !== undefined && { request_id: item.request_id }),
    ...(item.names_attempt !== undefined && { names_attempt: item.names_attempt }),
    ...(item.effect_reference !== undefined && { effect_reference: item.effect_reference }),
    ...(item.response !== undefined && { response: item.response }),
    ...(item.response_sealed != null && { response_sealed: item.response_sealed }),
  };
}

function claimedRow(item: ClaimRow, contract: StoredContract, at: number): StoredRow {
  const leased = item.into === 'leased';
  const sending = leased && item.send;
  const leaseUntil = at + contract.lease_seconds * 1000;
  return {
    ...idOf(item),
    tool_name: item.tool_name,
    tool_version: item.tool_version,
    request_fingerprint: item.request_fingerprint,
    fingerprint_version: item.fingerprint_version,
    request_redacted: item.request_redacted,
    request_sealed: item.request_sealed,
    intent_event: item.intent_event,
    business_reference: item.business_reference,
    connector: item.connector,
    actor: item.actor,
    workflow_id: item.workflow_id,
    step_id: item.step_id,
    approval_required: item.approval_required,
    status: 'pending',
    pending_reason: item.into,
    reason: null,
    attempt: leased ? 1 : 0,
    sent_attempt: sending ? 1 : null,
    doubt_attempt: sending ? 1 : null,
    first_sent_at: sending ? at : null,
    sent_at: sending ? at : null,
    quiet_until: sending ? at + contract.call_budget_ms : null,
    attempt_ended_at: null,
    held_since: at,
    downstream_key: item.downstream_key,
    downstream_request_id: leased ? item.downstream_request_id : null,
    deploy: item.deploy,
    lease_owner: leased ? item.lease_owner : null,
    lease_token: leased ? item.lease_token : null,
    lease_until: leased ? leaseUntil : null,
    next_attempt_at: null,
    recover_until: null,
    provider_job_id: null,
    job_ended_at: null,
    effect_reference: null,
    response: undefined,
    response_sealed: null,
    evidence: null,
    evidence_id: null,
    evidence_asked_at: null,
    case_at: leased ? leaseUntil + 60_000 : at + contract.response_seconds * 1000,
    contradicted_at: null,
    resolved_by: null,
    supersedes_key: null,
    successor_key: null,
    version: 1,
    created_at: at,
    updated_at: at,
    expires_at: null,
    tombstoned_at: null,
  };
}
