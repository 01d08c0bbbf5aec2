-- The shared table. A table made from the article's own CREATE TABLE is adopted: every column that is added has a
-- constant default that means "in doubt", so no row is rewritten.

-- A part of an operation key, as lib/executor/identity/operation-key.ts writes it.
create function app.key_part(part text) returns text language sql immutable parallel safe
return replace(replace(replace(part, '%', '%25'), ':', '%3A'), '!', '%21');

create table if not exists public.tool_operations (
  tenant_id text not null,
  operation_key text not null,
  tool_name text not null,
  tool_version text not null,
  request_fingerprint text not null,
  status text not null,
  effect_reference text,
  response_json jsonb,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, operation_key)
);

do $$
declare
  adopt_environment text := nullif(current_setting('app.adopt_environment', true), '');
begin
  if adopt_environment is null and exists (select from public.tool_operations) then
    raise exception 'tool_operations already has rows. Set ADOPT_ENVIRONMENT to the environment they belong to.';
  end if;
  if adopt_environment is null then
    alter table public.tool_operations add column environment text not null;
  else
    execute format('alter table public.tool_operations add column environment text not null default %L', adopt_environment);
  end if;
end $$;

alter table public.tool_operations
  add column effect_class text,
  add column contract_digest text,
  add column connector text,
  add column deploy text,
  add column fingerprint_version integer not null default 0,
  add column request_redacted jsonb,
  add column request_sealed bytea,
  add column intent_event text,
  add column business_reference text,
  add column pending_reason text,
  add column reason text,
  add column attempt integer not null default 1,
  add column sent_attempt integer default 1,
  add column doubt_attempt integer default 1,
  add column first_sent_at timestamptz,
  add column sent_at timestamptz,
  add column quiet_until timestamptz,
  add column attempt_ended_at timestamptz,
  add column downstream_key text,
  add column downstream_request_id text,
  add column lease_owner text,
  add column lease_token uuid,
  add column next_attempt_at timestamptz,
  add column recover_until timestamptz,
  add column provider_job_id text,
  add column response_sealed bytea,
  add column delivery_state text,
  add column evidence text,
  add column evidence_id uuid,
  add column evidence_asked_at timestamptz,
  add column case_at timestamptz,
  add column contradicted_at timestamptz,
  add column response_due_at timestamptz,
  add column resolved_by text,
  add column supersedes_key text,
  add column successor_key text,
  add column workflow_id text,
  add column step_id text,
  add column actor text,
  add column trace_id text,
  add column epoch text,
  add column adopted boolean not null default true,
  add column version bigint not null default 1,
  add column expires_at timestamptz,
  add column tombstoned_at timestamptz;

-- A case of an adopted row: what was open stays somebody's work. Constant per row, so only open rows are touched.
update public.tool_operations
   set case_at = case when status = 'pending' then coalesce(lease_until, updated_at) + interval '60 seconds' else updated_at end,
       reason = 'adopted'
 where status not in ('applied', 'failed_permanent', 'approved_new_key');

alter table public.tool_operations
  add constraint tool_operations_environment check (environment <> '' and tenant_id <> ''),
  add constraint tool_operations_status check (
    adopted or status in ('pending', 'applied', 'failed_permanent', 'unknown', 'approved_new_key')),
  add constraint tool_operations_key_scope check (
    adopted or starts_with(operation_key, app.key_part(tenant_id) || ':' || app.key_part(environment) || ':')),
  add constraint tool_operations_pending check (
    adopted or case
      when status <> 'pending' then pending_reason is null and lease_token is null and lease_until is null
      when pending_reason = 'leased' then
        lease_token is not null and lease_until is not null and lease_owner is not null and attempt >= 1
      when pending_reason = 'ready' then
        lease_token is null and lease_until is null and next_attempt_at is not null
      when pending_reason = 'accepted' then
        lease_token is null and lease_until is null and provider_job_id is not null and doubt_attempt is not null
      when pending_reason = 'queued' then lease_token is null and lease_until is null and doubt_attempt is null
      when pending_reason = 'awaiting_approval' then
        lease_token is null and lease_until is null and doubt_attempt is null
      when pending_reason = 'recovering' then
        lease_token is null and lease_until is null and doubt_attempt is not null and recover_until is not null
      else false end),
  add constraint tool_operations_sent check (
    adopted or (sent_attempt is null) = (sent_at is null) and (sent_at is null or (first_sent_at is not null and quiet_until is not null))),
  add constraint tool_operations_doubt check (adopted or doubt_attempt is null or doubt_attempt between 1 and attempt),
  add constraint tool_operations_evidence check (
    evidence in ('found', 'absent', 'pending', 'refused', 'ambiguous', 'failed')
    and (evidence is null) = (evidence_id is null) and (evidence is null) = (evidence_asked_at is null)),
  add constraint tool_operations_case check (
    adopted or (case_at is null) = (status in ('applied', 'failed_permanent', 'approved_new_key') and contradicted_at is null));

-- The queue: everything that is or becomes a person's work, in the order in which an answer is due.
create index tool_operations_cases on public.tool_operations
  (tenant_id, environment, coalesce(response_due_at, case_at), operation_key) where case_at is not null;
-- Work of the recover and reconcile duties, across tenants.
create index tool_operations_leases on public.tool_operations (lease_until) where lease_until is not null;
create index tool_operations_recovering on public.tool_operations (next_attempt_at)
  where pending_reason in ('recovering', 'accepted') or (status = 'unknown' and evidence = 'found')
    or (pending_reason = 'ready' and doubt_attempt is not null);
create index tool_operations_adopted on public.tool_operations (tool_name) where adopted;
-- Operations list by URL: keyset pages at full timestamp precision.
create index tool_operations_updated on public.tool_operations (tenant_id, environment, updated_at desc, operation_key);
-- An index row holds 2,704 bytes, and what a provider calls its effect may be longer: the beginning is indexed.
create index tool_operations_reference on public.tool_operations (tenant_id, environment, left(effect_reference, 200))
  where effect_reference is not null;
create index tool_operations_business on public.tool_operations (tenant_id, environment, left(business_reference, 200))
  where business_reference is not null;
create index tool_operations_fingerprint on public.tool_operations (tenant_id, environment, request_fingerprint);
create index tool_operations_trace on public.tool_operations (tenant_id, environment, trace_id) where trace_id is not null;
-- One successor for one predecessor, whatever races.
create unique index tool_operations_one_successor on public.tool_operations (tenant_id, supersedes_key)
  where supersedes_key is not null;

-- The trace, append-only. One row per commit may carry several steps with their own times. Never payloads.
create table public.tool_operation_events (
  tenant_id text not null,
  environment text not null,
  operation_key text not null,
  event_id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  steps jsonb not null default '[]',
  from_status text,
  to_status text,
  to_pending_reason text,
  reason text,
  attempt integer,
  version bigint,
  actor text,
  worker text,
  trace_id text,
  span_id text,
  tool_call_id text,
  delivery_id text,
  detail jsonb not null default '{}',
  primary key (tenant_id, operation_key, event_id)
);
create index tool_operation_events_recent on public.tool_operation_events (tenant_id, environment, at desc, event_id desc);

-- Contracts are global: their rules are data, and old versions stay readable. The columns are what SQL's rules read.
create table public.tool_contracts (
  name text not null,
  version text not null,
  digest text not null,
  revision integer not null default 1,
  body jsonb not null,
  effect_class text not null,
  lookup text not null check (lookup in ('none', 'advisory', 'authoritative')),
  resend text not null check (resend in ('never', 'keyed', 'absolute')),
  delicate boolean not null,
  key_window_seconds integer check (key_window_seconds > 0),
  call_budget_ms integer not null check (call_budget_ms > 0),
  settle_seconds integer not null check (settle_seconds >= 0),
  recovery_seconds integer not null check (recovery_seconds > 0),
  job_seconds integer check (job_seconds > 0),
  max_attempts integer not null check (max_attempts > 0),
  backoff_seconds integer not null check (backoff_seconds > 0),
  lease_seconds integer not null check (lease_seconds > 0),
  response_seconds integer not null check (response_seconds > 0),
  retention_seconds integer not null check (retention_seconds > 0),
  abandon_after_seconds integer check (abandon_after_seconds > 0),
  decision text not null check (decision in ('automate', 'automate_with_approval', 'manual')),
  registered_at timestamptz not null default clock_timestamp(),
  primary key (name, version)
);

-- Evidence: what a system of record answered, and when it was asked.
create table public.lookups (
  tenant_id text not null,
  evidence_id uuid not null default gen_random_uuid(),
  environment text not null,
  operation_key text not null,
  request_id uuid,
  source text not null check (source in ('lookup', 'job', 'late_answer', 'person')),
  asked_by text not null,
  connector text,
  looked_up_by text,
  asked_at timestamptz not null,
  answered_at timestamptz not null default clock_timestamp(),
  answer text not null check (answer in ('found', 'absent', 'pending', 'refused', 'ambiguous', 'failed')),
  authoritative boolean not null,
  names_attempt integer,
  effect_reference text,
  committed_at timestamptz,
  response_json jsonb,
  summary text not null,
  detail jsonb not null default '{}',
  primary key (tenant_id, evidence_id),
  foreign key (tenant_id, operation_key) references public.tool_operations (tenant_id, operation_key)
);
create index lookups_of_operation on public.lookups (tenant_id, operation_key, asked_at desc);
-- a receipt that was found but not recorded yet is what an operator pastes into the search
create index lookups_reference on public.lookups (tenant_id, environment, effect_reference) where effect_reference is not null;

-- A question that the console asks; the application's reconciler answers it.
create table public.lookup_requests (
  tenant_id text not null,
  request_id uuid not null,
  environment text not null,
  operation_key text not null,
  asked_by text not null,
  asked_at timestamptz not null default clock_timestamp(),
  taken_until timestamptz,
  answered_at timestamptz,
  evidence_id uuid,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, operation_key) references public.tool_operations (tenant_id, operation_key)
);
create index lookup_requests_open on public.lookup_requests (asked_at) where answered_at is null;
create index lookup_requests_of_operation on public.lookup_requests (tenant_id, operation_key, asked_at desc);
