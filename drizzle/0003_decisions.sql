-- A decision is stored with its state from day one: proposed and approved come with the second person.
create table public.decisions (
  tenant_id text not null,
  decision_id uuid not null,
  environment text not null,
  operation_key text not null,
  state text not null check (state in ('proposed', 'approved', 'voided', 'recorded')),
  verdict text not null check (verdict in ('applied', 'failed_permanent', 'approved_new_key')),
  reason text not null check (length(btrim(reason)) between 1 and 4000),
  effect_reference text,
  evidence_ids uuid[] not null default '{}',
  expected_version bigint not null,
  recorded_version bigint,
  successor_key text,
  decided_by uuid not null references public.users,
  content_digest bytea not null,
  audit_sequence bigint,
  decided_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, decision_id),
  foreign key (tenant_id, operation_key) references public.tool_operations (tenant_id, operation_key)
);
create index decisions_of_operation on public.decisions (tenant_id, operation_key, decided_at);

-- The audit log: one hash chain per (tenant, environment) over the exact bytes of `body`, sequence without gaps.
-- Entries that belong to no tenant (sign-ins, grants) use the pair _system/_system.
create table public.audit_heads (
  tenant_id text not null,
  environment text not null,
  sequence bigint not null,
  hash bytea not null,
  primary key (tenant_id, environment)
);

create table public.audit_entries (
  tenant_id text not null,
  environment text not null,
  sequence bigint not null check (sequence > 0),
  at timestamptz not null,
  actor text not null,
  action text not null,
  operation_key text,
  body bytea not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (tenant_id, environment, sequence)
);
create index audit_entries_of_operation on public.audit_entries (tenant_id, environment, operation_key, sequence)
  where operation_key is not null;
