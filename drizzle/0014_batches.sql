-- Concurrent calls arrive merged into one statement. What nearly all rows of it are (a new key; an attempt that was
-- applied; the replay of an applied operation) is done for all of them at once; every other row goes to the function that
-- does it alone, which stays the authority: each fast path gives the same row, event and answer (lib/executor/batches.db.test.ts).

-- The facts, once more, in PL/pgSQL: its expressions are planned once for a session, and what is asked of another table
-- is asked only of rows that have it. 320 µs a row as an SQL function, 15 µs so.
create or replace function app.facts_at(o public.tool_operations, c public.tool_contracts, at timestamptz) returns app.facts
language plpgsql stable parallel safe as $$
declare
  evidence text := 'none'; approval text := 'not_needed'; predecessor text := 'none'; epoch text := 'current';
begin
  -- a session that has claimed remembers that its epoch is accepted; a standby has no timeline of its own and judges nothing
  if (case when pg_is_in_recovery() then false when current_user = 'replay_definer' then true
    else right(current_setting('app.accepted_epoch', true), 8) is distinct from app.server_timeline() end) then
    epoch := app.epoch_fact(o);
  end if;
  if o.evidence is not null then evidence := app.evidence_fact(o, c); end if;
  if o.approval_required or c.decision = 'automate_with_approval' then approval := app.approval_fact(o, c, at); end if;
  if o.supersedes_key is not null then
    predecessor := case when exists (select from public.tool_operations p where p.tenant_id = o.tenant_id
      and p.operation_key = o.supersedes_key and p.status = 'approved_new_key' and p.contradicted_at is null)
      then 'standing' else 'changed' end;
  end if;
  return row(
    case when o.status in ('pending', 'applied', 'failed_permanent', 'unknown', 'approved_new_key') then o.status
      else 'unrecognised' end,
    coalesce(o.pending_reason, 'none'),
    case when o.lease_until is null or o.status <> 'pending' then 'none' when o.lease_until > at then 'live' else 'expired' end,
    o.sent_attempt is not distinct from o.attempt,
    case when o.doubt_attempt is null then 'none' when o.doubt_attempt = o.attempt then 'own' else 'earlier' end,
    o.attempt_ended_at is not null,
    coalesce(o.next_attempt_at <= at, true),
    coalesce(o.attempt < c.max_attempts, false),
    evidence,
    coalesce(o.evidence <> 'failed' and o.evidence_asked_at > o.sent_at, false),
    case when c.resend = 'keyed' and (o.first_sent_at is null
      or o.first_sent_at + make_interval(secs => c.key_window_seconds)
        > at + make_interval(secs => c.call_budget_ms / 1000.0 + c.settle_seconds)) then 'open' else 'shut' end,
    coalesce(o.recover_until <= at, o.adopted),
    o.provider_job_id is not null and o.job_ended_at is null,
    true,
    approval,
    predecessor,
    coalesce(c.decision = 'manual', false),
    o.contradicted_at is not null,
    case when o.expires_at <= at then 'past' else 'within' end,
    coalesce(o.created_at + make_interval(secs => c.abandon_after_seconds) <= at, false),
    epoch,
    o.adopted,
    coalesce(c.lookup, 'none'),
    coalesce(c.resend, 'never'),
    coalesce(c.delicate, false)
  )::app.facts;
end $$;

-- A step of the trace is stored as it came, as milliseconds before the time of its event: both are told by the database
-- clock, and nothing is computed for each of four steps in each write (32 µs a claim). Readers add the times.
create or replace function app.add_event(o public.tool_operations, kind text, from_status text, trace jsonb, detail jsonb default '{}')
returns void language plpgsql as $$
begin
  insert into public.tool_operation_events (tenant_id, environment, operation_key, kind, steps, from_status, to_status,
    to_pending_reason, reason, attempt, version, actor, worker, trace_id, span_id, tool_call_id, delivery_id, detail)
  values (o.tenant_id, o.environment, o.operation_key, kind, coalesce(trace->'steps', '[]'),
    from_status, o.status, o.pending_reason, o.reason, o.attempt, o.version,
    trace->>'actor', trace->>'worker', trace->>'trace_id', trace->>'span_id', trace->>'tool_call_id',
    trace->>'delivery_id', coalesce(trace->'detail', '{}') || detail);
end $$;

create or replace function app.add_events(p_rows jsonb) returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into public.tool_operation_events (tenant_id, environment, operation_key, kind, steps, from_status, to_status,
    to_pending_reason, reason, attempt, version, actor, worker, trace_id, span_id, tool_call_id, delivery_id, detail)
  select i.tenant_id, i.environment, i.operation_key, i.kind, coalesce(i.trace->'steps', '[]'), o.status, o.status,
    o.pending_reason, o.reason, o.attempt, o.version,
    i.trace->>'actor', i.trace->>'worker', i.trace->>'trace_id', i.trace->>'span_id', i.trace->>'tool_call_id',
    i.trace->>'delivery_id', coalesce(i.trace->'detail', '{}') || coalesce(i.detail, '{}')
  from jsonb_to_recordset(p_rows) as i (tenant_id text, environment text, operation_key text, kind text, trace jsonb, detail jsonb)
  -- a delivery that was refused before its claim has no row, but has a trace
  left join public.tool_operations o on o.tenant_id = i.tenant_id and o.operation_key = i.operation_key and o.environment = i.environment;
end $$;

-- An applied operation about which there is nothing to say but its result: its first attempt was sent and answered; no
-- evidence, job, approval or successor, nothing sealed or expired. Rows of one contract are then alike in their facts,
-- but for the key window: their records differ in what app.own_record gives.
create function app.is_plainly_applied(o public.tool_operations, c public.tool_contracts, at timestamptz) returns boolean
language sql stable parallel safe
return (o).status = 'applied' and (o).attempt = 1 and (o).sent_attempt = 1 and (o).attempt_ended_at is not null
  and (o).evidence is null and (o).contradicted_at is null and (o).provider_job_id is null and not (o).approval_required
  and (o).supersedes_key is null and (o).successor_key is null and (o).request_sealed is null and (o).response_sealed is null
  and (o).tombstoned_at is null and (o).response_json is not null and not (o).adopted and (o).expires_at > at
  and (o).doubt_attempt is null and (o).recover_until is null and (o).next_attempt_at is null and (o).reason is null
  and (c).decision <> 'automate_with_approval'
  and coalesce((o).created_at + make_interval(secs => (c).abandon_after_seconds) > at, true);

-- Which applied operations are alike: same contract, and the downstream remembers the key of both or of neither.
create function app.likeness(o public.tool_operations, c public.tool_contracts, at timestamptz) returns text
language sql stable parallel safe
return (c).name || '@' || (c).version || case when (c).resend = 'keyed' and ((o).first_sent_at
  + make_interval(secs => (c).key_window_seconds) > at + make_interval(secs => (c).call_budget_ms / 1000.0 + (c).settle_seconds))
  then '/open' else '/shut' end;

-- What differs, in the order of lib/executor/batch-answers.ts.
create function app.own_record(o public.tool_operations, c public.tool_contracts) returns json language sql stable parallel safe
return json_build_array((o).request_fingerprint, (o).fingerprint_version, (o).version, (o).downstream_key,
  (o).downstream_request_id, (o).connector, (o).actor, (o).workflow_id, (o).step_id, (o).effect_reference, (o).response_json,
  (o).resolved_by, (o).expires_at - make_interval(secs => (c).retention_seconds));

-- A record for each likeness, from one operation that has it: { likeness: [tenant_id, operation_key] } as input.
create function app.records_of(p_examples jsonb) returns jsonb language plpgsql stable as $$
declare likeness text; example jsonb; o public.tool_operations; records jsonb := '{}';
begin
  for likeness, example in select key, value from jsonb_each(p_examples) loop
    select * into strict o from public.tool_operations where tenant_id = example->>0 and operation_key = example->>1;
    records := records || jsonb_build_object(likeness, app.record(o));
  end loop;
  return records;
end $$;

-- app.claim for many rows at once. Answers { fresh, likes, alike, rows }, where rows are numbered from 1: `rows` has answers of
-- app.claim; `alike` lists [number, likeness, own] of operations whose record is that of `likes` but for `own`; any other
-- row was claimed, and its record is that of `fresh` for its contract with what the caller sent.
create function app.claim_many(p_rows jsonb) returns json language plpgsql
set enable_nestloop = off -- the rows of a batch are matched by hash, though the planner expects one
as $$
declare
  at timestamptz; locks bigint; lockable bigint; claimed bigint[]; other bigint[]; done bigint[]; rest bigint[];
  fresh jsonb; likes jsonb; alike json;
begin
  if not app.note_epoch() then -- of an unaccepted epoch each claim is judged by itself
    return json_build_object('rows', (select jsonb_object_agg(ordinality, value) from jsonb_array_elements(app.claim(p_rows)) with ordinality));
  end if;
  with input as (
    select app.sibling_lock(i.tenant_id, i.environment, i.tool_name, i.request_fingerprint) as id
    from jsonb_to_recordset(p_rows) as i (tenant_id text, environment text, tool_name text, tool_version text, request_fingerprint text)
    join public.tool_contracts c on c.name = i.tool_name and c.version = i.tool_version and c.require_intent <> 'never'
  )
  select count(*), coalesce(sum(n), 0) into locks, lockable
  from (select pg_advisory_xact_lock(id), n from (select id, count(*) as n from input group by id order by id) o) l;
  if locks < lockable then -- siblings in one statement are judged one after the other
    return json_build_object('rows', (select jsonb_object_agg(ordinality, value) from jsonb_array_elements(app.claim(p_rows)) with ordinality));
  end if;

  -- a new statement: it sees what was committed while the locks were waited for
  at := clock_timestamp();
  with input as materialized (
    select i.*, c.effect_class, c.digest, c.call_budget_ms, c.lease_seconds, c.response_seconds
    from rows from (jsonb_to_recordset(p_rows) as (tenant_id text, environment text, operation_key text, tool_name text,
      tool_version text, connector text, deploy text, request_fingerprint text, fingerprint_version integer,
      request_redacted jsonb, request_sealed text, intent_event text, business_reference text, workflow_id text, step_id text,
      actor text, lease_owner text, lease_token uuid, "into" text, send boolean, approval_required boolean,
      downstream_key text, downstream_request_id text, trace jsonb)) with ordinality i
    join public.tool_contracts c on c.name = i.tool_name and c.version = i.tool_version
    where i."into" = 'leased' and i.send and i.approval_required is not true and i.request_sealed is null
      and i.request_redacted is not null and c.decision <> 'automate_with_approval'
      and (c.require_intent = 'never' or (c.require_intent = 'on_sibling' and i.intent_event is null and not exists (
        select from public.tool_operations s where s.tenant_id = i.tenant_id and s.environment = i.environment
          and s.request_fingerprint = i.request_fingerprint)))
    order by i.tenant_id, i.operation_key, i.ordinality
  ), inserted as (
    insert into public.tool_operations (
      tenant_id, operation_key, environment, tool_name, tool_version, effect_class, contract_digest, connector, deploy,
      request_fingerprint, fingerprint_version, request_redacted, intent_event, business_reference,
      status, pending_reason, attempt, sent_attempt, doubt_attempt, first_sent_at, sent_at, quiet_until,
      downstream_key, downstream_request_id, lease_owner, lease_token, lease_until, case_at, response_due_at,
      workflow_id, step_id, actor, trace_id, approval_required, adopted, version, created_at, updated_at)
    select i.tenant_id, i.operation_key, i.environment, i.tool_name, i.tool_version, i.effect_class, i.digest, i.connector, i.deploy,
      i.request_fingerprint, i.fingerprint_version, i.request_redacted, i.intent_event, i.business_reference,
      'pending', 'leased', 1, 1, 1, at, at, at + make_interval(secs => i.call_budget_ms / 1000.0),
      i.downstream_key, i.downstream_request_id, i.lease_owner, i.lease_token, at + make_interval(secs => i.lease_seconds),
      at + make_interval(secs => i.lease_seconds) + interval '60 seconds', at + make_interval(secs => i.response_seconds),
      i.workflow_id, i.step_id, i.actor, i.trace->>'trace_id', false, false, 1, at, at
    from input i
    on conflict (tenant_id, operation_key) do nothing
    returning lease_token
  ), claimed_rows as materialized (
    select i.* from input i join inserted n using (lease_token)
  ), events as (
    insert into public.tool_operation_events (tenant_id, environment, operation_key, kind, steps, from_status, to_status,
      to_pending_reason, reason, attempt, version, actor, worker, trace_id, span_id, tool_call_id, delivery_id, detail)
    select i.tenant_id, i.environment, i.operation_key, 'claim', coalesce(i.trace->'steps', '[]'), null, 'pending', 'leased', null, 1, 1,
      i.trace->>'actor', i.trace->>'worker', i.trace->>'trace_id', i.trace->>'span_id', i.trace->>'tool_call_id',
      i.trace->>'delivery_id', coalesce(i.trace->'detail', '{}')
    from claimed_rows i
  )
  select array_agg(i.ordinality), jsonb_object_agg(i.tool_name || '@' || i.tool_version, jsonb_build_array(i.tenant_id, i.operation_key))
    into claimed, fresh from claimed_rows i;

  fresh := app.records_of(fresh);
  if cardinality(claimed) = jsonb_array_length(p_rows) then
    return json_build_object('fresh', fresh);
  end if;

  -- what is there already: replays at once, the others alone
  select array_agg(n) into other from generate_series(1, jsonb_array_length(p_rows)) n where n <> all (coalesce(claimed, '{}'));
  with found as materialized (
    select n, f.o, c, app.likeness(f.o, c, at) as likeness
    from unnest(other) n
    -- one look-up by key for each, whatever is known of the table
    cross join lateral (select x as o from public.tool_operations x
      where x.tenant_id = p_rows->(n::integer - 1)->>'tenant_id' and x.operation_key = p_rows->(n::integer - 1)->>'operation_key'
        and x.environment = p_rows->(n::integer - 1)->>'environment' offset 0) f
    join public.tool_contracts c on c.name = (f.o).tool_name and c.version = (f.o).tool_version
    where app.is_plainly_applied(f.o, c, at)
  )
  select json_agg(json_build_array(n, likeness, app.own_record(o, c))), array_agg(n),
    jsonb_object_agg(likeness, jsonb_build_array((o).tenant_id, (o).operation_key))
    into alike, done, likes from found;
  rest := array(select n from unnest(other) n where n <> all (coalesce(done, '{}')) order by n);
  return json_build_object('fresh', fresh, 'likes', app.records_of(likes), 'alike', alike, 'rows', (
    select jsonb_object_agg(rest[a.ordinality], a.value) from jsonb_array_elements(app.claim(
      coalesce((select jsonb_agg(p_rows->(n::integer - 1) order by n) from unnest(rest) n), '[]'))) with ordinality a));
end $$;

-- app.transition for many rows of one event at once. Answers { likes, alike, rows }, as app.claim_many does.
create function app.transition_many(p_event text, p_rows jsonb) returns json language plpgsql
set enable_hashjoin = off set enable_mergejoin = off -- one look-up by key for each, whatever is known of the table
as $$
declare
  at timestamptz := clock_timestamp(); done bigint[]; likes jsonb; alike json; rest bigint[];
begin
  if p_event = 'apply' and app.note_epoch() then
    with input as materialized (
      select i.* from rows from (jsonb_to_recordset(p_rows) as (tenant_id text, environment text, operation_key text, lease_token uuid,
        effect_reference text, response jsonb, response_sealed text, ended boolean, trace jsonb)) with ordinality i
      where i.response is not null and i.response_sealed is null and i.ended is not false
      order by i.tenant_id, i.operation_key
    ), applied as (
      update public.tool_operations o set
        status = 'applied', pending_reason = null, reason = null, version = o.version + 1, updated_at = at, attempt_ended_at = at,
        doubt_attempt = null, recover_until = null, next_attempt_at = null, lease_owner = null, lease_token = null, lease_until = null,
        effect_reference = i.effect_reference, response_json = i.response, response_sealed = null, resolved_by = 'executor',
        case_at = null, expires_at = at + make_interval(secs => c.retention_seconds)
      from input i, public.tool_contracts c
      where o.tenant_id = i.tenant_id and o.operation_key = i.operation_key and o.environment = i.environment
        and o.lease_token = i.lease_token and o.pending_reason = 'leased' and o.sent_attempt = 1 and o.attempt = 1
        and o.evidence is null and o.contradicted_at is null and o.provider_job_id is null and not o.approval_required and not o.adopted
        and o.supersedes_key is null and o.successor_key is null and o.request_sealed is null and o.tombstoned_at is null
        and c.name = o.tool_name and c.version = o.tool_version and c.decision <> 'automate_with_approval' and not c.one_per_reference
        and coalesce(o.created_at + make_interval(secs => c.abandon_after_seconds) > at, true)
      returning i.ordinality, i.trace, o, c
    ), events as (
      insert into public.tool_operation_events (tenant_id, environment, operation_key, kind, steps, from_status, to_status,
        to_pending_reason, reason, attempt, version, actor, worker, trace_id, span_id, tool_call_id, delivery_id, detail)
      select (a.o).tenant_id, (a.o).environment, (a.o).operation_key, 'apply', coalesce(a.trace->'steps', '[]'), 'pending', 'applied',
        null, null, 1, (a.o).version, a.trace->>'actor', a.trace->>'worker', a.trace->>'trace_id', a.trace->>'span_id',
        a.trace->>'tool_call_id', a.trace->>'delivery_id', coalesce(a.trace->'detail', '{}')
      from applied a
    )
    select json_agg(json_build_array(a.ordinality, app.likeness(a.o, a.c, at), app.own_record(a.o, a.c))), array_agg(a.ordinality),
      jsonb_object_agg(app.likeness(a.o, a.c, at), jsonb_build_array((a.o).tenant_id, (a.o).operation_key))
      into alike, done, likes from applied a;
    if cardinality(done) = jsonb_array_length(p_rows) then
      return json_build_object('likes', app.records_of(likes), 'alike', alike);
    end if;
  end if;
  rest := array(select n from generate_series(1, jsonb_array_length(p_rows)) n where n <> all (coalesce(done, '{}')) order by n);
  return json_build_object('likes', app.records_of(likes), 'alike', alike, 'rows', (
    select jsonb_object_agg(rest[a.ordinality], a.value) from jsonb_array_elements(app.transition(p_event,
      (select jsonb_agg(p_rows->(n::integer - 1) order by n) from unnest(rest) n))) with ordinality a));
end $$;

create or replace function app.read_operations(p_rows jsonb) returns jsonb language plpgsql stable set enable_seqscan = off as $$
begin
  return (select coalesce(jsonb_agg((select app.record(x.o) from (select o from public.tool_operations o
    where o.tenant_id = t.value->>'tenant_id' and o.operation_key = t.value->>'operation_key'
      and o.environment = t.value->>'environment' offset 0) x) order by t.ordinality), '[]')
  from jsonb_array_elements(p_rows) with ordinality t);
end $$;

-- A plan that is made while a table is empty reads it from end to end, and a session keeps its plans: the executor reads by
-- key, always.
alter function app.claim_in_epoch set enable_seqscan = off;
alter function app.claim_after_fail_over set enable_seqscan = off;
alter function app.claim_many set enable_seqscan = off;
alter function app.transition set enable_seqscan = off;
alter function app.transition_many set enable_seqscan = off;

-- Operations list. Every row has a version: whoever wants this index says so, and no plan that is made on an empty table
-- takes it for a look-up by tenant.
drop index public.tool_operations_updated;
create index tool_operations_updated on public.tool_operations (tenant_id, environment, updated_at) where version > 0;
-- Siblings and the search by fingerprint. Its first column is the fingerprint, so that it too is taken for nothing else.
drop index public.tool_operations_fingerprint;
create index tool_operations_fingerprint on public.tool_operations (request_fingerprint, tenant_id, environment);

-- When the last commit that survived was made, read off the operations themselves: the events need no index by time for it.
create or replace function app.last_claim_at() returns timestamptz language sql stable
security definer set search_path = pg_catalog, public, app, pg_temp as $$
  with recursive scope as ( -- one step of the index for each tenant and environment
    (select o.tenant_id, o.environment from public.tool_operations o where o.version > 0 order by o.tenant_id, o.environment limit 1)
    union all
    select next.tenant_id, next.environment from scope s cross join lateral (
      select o.tenant_id, o.environment from public.tool_operations o
       where o.version > 0 and (o.tenant_id, o.environment) > (s.tenant_id, s.environment) order by o.tenant_id, o.environment limit 1) next
  )
  select max(last.at) from scope s cross join lateral (
    select max(o.updated_at) as at from public.tool_operations o
     where o.version > 0 and o.tenant_id = s.tenant_id and o.environment = s.environment) last
$$;
drop index public.tool_operation_events_recent;

revoke execute on function app.is_plainly_applied, app.likeness, app.own_record, app.records_of, app.claim_many, app.transition_many from public;
grant execute on function app.is_plainly_applied, app.likeness, app.own_record, app.records_of, app.claim_many, app.transition_many to replay_executor;
