-- What the fault run of a tool showed, by the digest of the contract that it stands for. Global, as contracts are: no
-- operation of a tenant stands in it. Whoever runs the tool writes it; nobody changes or removes a run.
create table public.fault_runs (
  run_id uuid primary key default gen_random_uuid(),
  tool_name text not null check (tool_name <> ''),
  tool_version text not null,
  contract_digest text not null check (contract_digest ~ '^sha256:[0-9a-f]{64}$'),
  -- another one only where shorter times were played, which the report says
  played_digest text not null check (played_digest ~ '^sha256:[0-9a-f]{64}$'),
  started_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  passed boolean not null,
  report jsonb not null check (jsonb_typeof(report) = 'object')
);
-- the latest run of a contract, and the latest that passed
create index fault_runs_of_contract on public.fault_runs (tool_name, contract_digest, recorded_at desc);

grant select, insert on public.fault_runs to replay_executor;
grant select on public.fault_runs to replay_console, replay_auditor;
