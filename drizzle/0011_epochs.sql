-- Rule 13: a fail-over can lose a claim. An epoch is the running server's system identifier and timeline, which change
-- with every promotion and every restored copy. What an unaccepted epoch may do is judged here, in every statement.

create table app.epochs (
  epoch text primary key,
  seen_at timestamptz not null default clock_timestamp(),
  -- the last claim that survived into this epoch, by the older server's clock; null for the first epoch
  survived_at timestamptz,
  accepted_at timestamptz,
  accepted_by text,
  reason text,
  check ((accepted_at is null) = (accepted_by is null))
);

-- The insertion timeline is right from the first moment after a promotion; the control file's is not.
create function app.server_timeline() returns text language sql stable parallel safe
return substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);

create function app.server_epoch() returns text language sql stable parallel safe
begin atomic
  select s.system_identifier || '/' || app.server_timeline() from pg_control_system() s;
end;

insert into app.epochs (epoch, accepted_at, accepted_by, reason)
values (app.server_epoch(), clock_timestamp(), 'system:migrate', 'the first epoch');

-- Whether this server's epoch is accepted. Reading the control file costs 50 us, so a session that has claimed remembers
-- the epoch that it found accepted: acceptance is never taken back, and within a session only the timeline can change.
-- Functions that act for the console do not believe what its session says. A standby judges nothing.
create function app.epoch_accepted() returns boolean language sql stable parallel safe
begin atomic
  select case
    when pg_is_in_recovery() then true
    when current_user <> 'replay_definer' and right(current_setting('app.accepted_epoch', true), 8) = app.server_timeline() then true
    else exists (select from app.epochs e where e.epoch = app.server_epoch() and e.accepted_at is not null) end;
end;

-- lib/domain/facts.ts `epoch`: a row is of an older epoch unless this epoch is accepted or wrote it.
create function app.epoch_fact(o public.tool_operations) returns text language sql stable parallel safe
begin atomic
  select case when app.epoch_accepted() or (o).epoch = app.server_epoch() then 'current' else 'older' end;
end;

-- Remembers this session's epoch if it is accepted; answers whether it is. Called before each claim.
create function app.note_epoch() returns boolean language plpgsql as $$
begin
  if right(current_setting('app.accepted_epoch', true), 8) = app.server_timeline() then return true; end if;
  perform set_config('app.accepted_epoch', coalesce((select e.epoch from app.epochs e
    where e.epoch = app.server_epoch() and e.accepted_at is not null), ''), false);
  return current_setting('app.accepted_epoch') <> '';
end $$;

-- What the claim has just noted; null is of the first epoch, and so is what another executor writes.
alter table public.tool_operations alter column epoch set default nullif(current_setting('app.accepted_epoch', true), '');

-- The last claim or send in the trace. A claim that is lost was committed after it, and sent after that.
create function app.last_claim_at() returns timestamptz language sql stable
security definer set search_path = pg_catalog, public, app, pg_temp as $$
  with recursive scope as ( -- one step of the index for each tenant and environment
    (select e.tenant_id, e.environment from public.tool_operation_events e order by e.tenant_id, e.environment limit 1)
    union all
    select next.tenant_id, next.environment from scope s cross join lateral (
      select e.tenant_id, e.environment from public.tool_operation_events e
       where (e.tenant_id, e.environment) > (s.tenant_id, s.environment) order by e.tenant_id, e.environment limit 1) next
  )
  select max(last.at) from scope s cross join lateral (
    select e.at from public.tool_operation_events e
     where e.tenant_id = s.tenant_id and e.environment = s.environment and e.kind in ('claim', 'acquire', 'send')
     order by e.at desc limit 1) last
$$;

-- This server's epoch, written down when it is first seen: before anything of it is claimed.
create function app.see_epoch() returns app.epochs language plpgsql
security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare e app.epochs; now_epoch text := app.server_epoch();
begin
  select * into e from app.epochs where epoch = now_epoch;
  if not found then
    insert into app.epochs (epoch, survived_at)
    values (now_epoch, coalesce(app.last_claim_at(), (select max(x.seen_at) from app.epochs x))) on conflict do nothing;
    select * into strict e from app.epochs where epoch = now_epoch;
  end if;
  return e;
end $$;

-- A new key in an unaccepted epoch may have been claimed and sent by the server that is gone. A tool whose downstream
-- deduplicates is claimed while the key is surely remembered; the claim that may be lost counts as attempt 1, in doubt.
create function app.claim_after_fail_over(p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; c public.tool_contracts; e app.epochs := app.see_epoch();
  answer jsonb; answers jsonb := '{}'; known boolean;
begin
  for item, ord in select t.value, t.ordinality from jsonb_array_elements(p_rows) with ordinality t
    order by t.value->>'tenant_id', t.value->>'operation_key', t.ordinality
  loop
    known := exists (select from public.tool_operations x
      where x.tenant_id = item->>'tenant_id' and x.operation_key = item->>'operation_key');
    select * into c from public.tool_contracts where name = item->>'tool_name' and version = item->>'tool_version';
    if not known and found and not (c.resend = 'keyed' and item->>'into' = 'leased'
      and e.survived_at + make_interval(secs => c.key_window_seconds)
        > clock_timestamp() + make_interval(secs => c.call_budget_ms / 1000.0 + c.settle_seconds)) then
      answer := jsonb_build_object('claimed', false, 'refusal', 'fail_over', 'record', null);
    else
      answer := app.claim_in_epoch(jsonb_build_array(item))->0;
      if not known and (answer->>'claimed')::boolean then
        update public.tool_operations t set epoch = e.epoch, first_sent_at = e.survived_at, attempt = 2, doubt_attempt = 1,
          sent_attempt = t.sent_attempt + 1, version = t.version + 1
         where t.tenant_id = item->>'tenant_id' and t.operation_key = item->>'operation_key'
        returning * into strict o;
        perform app.add_event(o, 'acquire', o.status, (item->'trace') - 'steps',
          jsonb_build_object('survived_at', e.survived_at, 'epoch', e.epoch));
        answer := answer || jsonb_build_object('record', app.record(o));
      end if;
    end if;
    answers := answers || jsonb_build_object(ord::text, answer);
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;

alter function app.claim(jsonb) rename to claim_in_epoch;
create function app.claim(p_rows jsonb) returns jsonb language plpgsql as $$
begin
  if app.note_epoch() then return app.claim_in_epoch(p_rows); end if;
  return app.claim_after_fail_over(p_rows);
end $$;

-- What a person sees before accepting: the epoch, what survived, and what is open from older ones.
create function app.epoch_status() returns jsonb language plpgsql
security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare e app.epochs := app.see_epoch();
begin
  return jsonb_build_object('epoch', e.epoch, 'accepted', e.accepted_at is not null, 'seen_at', e.seen_at,
    'survived_at', e.survived_at, 'accepted_at', e.accepted_at, 'accepted_by', e.accepted_by, 'reason', e.reason,
    'keys_remembered_until', (select e.survived_at + make_interval(secs => max(c.key_window_seconds))
      from public.tool_contracts c where c.resend = 'keyed'),
    'older', case when e.accepted_at is null then (select coalesce(jsonb_object_agg(s.status, s.n), '{}') from (
      select o.status, count(*) as n from public.tool_operations o
       where o.case_at is not null and o.status not in ('applied', 'failed_permanent', 'approved_new_key')
         and o.epoch is distinct from e.epoch group by o.status) s) else '{}' end);
end $$;

-- A person accepts this epoch: fail_over fires on everything of older ones that is open, and claims are whole again.
create function app.accept_epoch(p_person text, p_reason text) returns jsonb language plpgsql
security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare
  e app.epochs := app.see_epoch(); o public.tool_operations; was text; c public.tool_contracts; at timestamptz; target text;
  fired jsonb := '{"recovering": 0, "unknown": 0}'; entry bigint; bucket text;
begin
  if length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'a reason of 1 to 4000 characters is required' using errcode = '22023';
  end if;
  select * into strict e from app.epochs where epoch = e.epoch for update;
  if e.accepted_at is not null then
    return jsonb_build_object('epoch', e.epoch, 'outcome', 'already_accepted', 'accepted_at', e.accepted_at, 'accepted_by', e.accepted_by);
  end if;
  for o in select * from public.tool_operations x
     where x.case_at is not null and x.status not in ('applied', 'failed_permanent', 'approved_new_key')
       and x.epoch is distinct from e.epoch
     order by x.tenant_id, x.operation_key for update
  loop
    at := clock_timestamp(); was := o.status; c := app.contract_of(o);
    target := app.next_state('fail_over', app.facts_at(o, c, at));
    o.status := split_part(target, '/', 1); o.pending_reason := nullif(split_part(target, '/', 2), ''); o.reason := 'fail_over';
    -- a lost attempt may have been any, the first one too, and may still be at work
    o.attempt := greatest(o.attempt, 1); o.doubt_attempt := 1; o.attempt_ended_at := null; o.first_sent_at := '-infinity';
    o.quiet_until := at + make_interval(secs => coalesce(c.call_budget_ms, 0) / 1000.0);
    o.recover_until := at + make_interval(secs => coalesce(c.recovery_seconds, 0));
    o.next_attempt_at := case when o.status = 'pending' then at end;
    o.lease_token := null; o.lease_until := null; o.lease_owner := null;
    o.version := o.version + 1; o.updated_at := at; o.case_at := app.case_at(o, c, at);
    update public.tool_operations t set status = o.status, pending_reason = o.pending_reason, reason = o.reason,
      attempt = o.attempt, doubt_attempt = o.doubt_attempt, attempt_ended_at = null, first_sent_at = o.first_sent_at,
      quiet_until = o.quiet_until, recover_until = o.recover_until, next_attempt_at = o.next_attempt_at,
      lease_token = null, lease_until = null, lease_owner = null, version = o.version, updated_at = at, case_at = o.case_at
     where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
    perform app.add_event(o, 'fail_over', was, jsonb_build_object('actor', 'system:owner'), jsonb_build_object('epoch', e.epoch));
    bucket := case when o.status = 'pending' then 'recovering' else 'unknown' end;
    fired := fired || jsonb_build_object(bucket, (fired->>bucket)::integer + 1);
  end loop;
  update app.epochs set accepted_at = clock_timestamp(), accepted_by = p_person, reason = p_reason where epoch = e.epoch;
  entry := app.append_audit('_system', '_system', 'system:owner', 'epoch_accepted', null, jsonb_build_object(
    'epoch', e.epoch, 'survived_at', e.survived_at, 'person', p_person, 'reason', p_reason, 'fired', fired));
  return jsonb_build_object('epoch', e.epoch, 'outcome', 'accepted', 'fired', fired, 'audit_sequence', entry);
end $$;

-- drizzle/0008 with the epoch of rule 13.
create or replace function app.facts_at(o public.tool_operations, c public.tool_contracts, at timestamptz) returns app.facts
language sql stable parallel safe
begin atomic
  select row(
    case when (o).status in ('pending', 'applied', 'failed_permanent', 'unknown', 'approved_new_key') then (o).status
      else 'unrecognised' end,
    coalesce((o).pending_reason, 'none'),
    case when (o).lease_until is null or (o).status <> 'pending' then 'none' when (o).lease_until > at then 'live' else 'expired' end,
    (o).sent_attempt is not distinct from (o).attempt,
    case when (o).doubt_attempt is null then 'none' when (o).doubt_attempt = (o).attempt then 'own' else 'earlier' end,
    (o).attempt_ended_at is not null,
    coalesce((o).next_attempt_at <= at, true),
    coalesce((o).attempt < (c).max_attempts, false),
    app.evidence_fact(o, c),
    coalesce((o).evidence <> 'failed' and (o).evidence_asked_at > (o).sent_at, false),
    case when (c).resend = 'keyed' and ((o).first_sent_at is null
      or (o).first_sent_at + make_interval(secs => (c).key_window_seconds)
        > at + make_interval(secs => (c).call_budget_ms / 1000.0 + (c).settle_seconds)) then 'open' else 'shut' end,
    coalesce((o).recover_until <= at, (o).adopted),
    app.job_open(o),
    true,
    app.approval_fact(o, c, at),
    case when (o).supersedes_key is null then 'none'
      when exists (select from public.tool_operations p where p.tenant_id = (o).tenant_id
        and p.operation_key = (o).supersedes_key and p.status = 'approved_new_key' and p.contradicted_at is null)
      then 'standing' else 'changed' end,
    coalesce((c).decision = 'manual', false),
    (o).contradicted_at is not null,
    case when (o).expires_at <= at then 'past' else 'within' end,
    coalesce((o).created_at + make_interval(secs => (c).abandon_after_seconds) <= at, false),
    app.epoch_fact(o),
    (o).adopted,
    coalesce((c).lookup, 'none'),
    coalesce((c).resend, 'never'),
    coalesce((c).delicate, false)
  )::app.facts;
end;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'app'::regnamespace and p.proname in
    ('server_timeline', 'server_epoch', 'epoch_accepted', 'epoch_fact', 'note_epoch', 'last_claim_at', 'see_epoch',
     'claim_after_fail_over', 'claim', 'epoch_status', 'accept_epoch')
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'app'::regnamespace and p.proname in
    ('last_claim_at', 'see_epoch', 'epoch_status', 'accept_epoch')
  loop
    execute format('alter function %s owner to replay_definer', f);
  end loop;
end $$;
grant select on app.epochs to replay_console, replay_executor, replay_auditor;
grant select, insert, update on app.epochs to replay_definer;
grant execute on function app.server_timeline, app.server_epoch, app.epoch_accepted, app.epoch_fact
  to replay_console, replay_executor, replay_auditor, replay_definer;
grant execute on function app.note_epoch, app.claim_after_fail_over, app.claim, app.see_epoch to replay_executor;
