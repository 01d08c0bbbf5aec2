-- What the whole executor needs besides the spine: approvals before the effect, delayed jobs, siblings, sealed fields,
-- retention with tombstones, and providers that are out of reach.

alter table public.tool_contracts
  add column require_intent text not null default 'on_sibling' check (require_intent in ('always', 'on_sibling', 'never')),
  add column sibling_window_seconds integer not null default 0 check (sibling_window_seconds >= 0),
  add column approval_valid_seconds integer check (approval_valid_seconds > 0),
  add column outage_seconds integer not null default 86400 check (outage_seconds >= 0),
  add column one_per_reference boolean not null default false;

alter table public.tool_operations
  add column approval_required boolean not null default false,
  add column job_ended_at timestamptz;

alter table public.lookups add column response_sealed bytea;

-- Work of the compact duty: what is past its retention and has no tombstone yet.
create index tool_operations_retention on public.tool_operations (expires_at)
  where expires_at is not null and tombstoned_at is null and contradicted_at is null;
-- Questions of the console for the tools that this worker holds, in the environments that it serves.
create or replace function app.take_lookup_requests(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb language plpgsql as $$
declare taken jsonb;
begin
  with due as (
    select r.tenant_id, r.request_id from public.lookup_requests r
      join public.tool_operations o on o.tenant_id = r.tenant_id and o.operation_key = r.operation_key
     where r.answered_at is null and coalesce(r.taken_until, '-infinity') <= clock_timestamp()
       and exists (select from jsonb_array_elements(p_tools) t
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version and t.value->>'environment' = o.environment)
     order by r.asked_at limit p_limit for update of r skip locked
  ), taken_rows as (
    update public.lookup_requests r set taken_until = clock_timestamp() + make_interval(secs => p_seconds)
      from due where r.tenant_id = due.tenant_id and r.request_id = due.request_id
    returning r.*
  )
  select coalesce(jsonb_agg(app.record(o) || jsonb_build_object('asked_at', clock_timestamp(), 'request', coalesce(o.request_redacted, '{}'), 'request_id', r.request_id, 'asked_by', r.asked_by)), '[]')
    into taken
  from taken_rows r join public.tool_operations o on o.tenant_id = r.tenant_id and o.operation_key = r.operation_key;
  return taken;
end $$;

-- Work of the recover duty: what was never sent and may have to be given up.
create index tool_operations_unsent on public.tool_operations (created_at)
  where pending_reason in ('ready', 'queued', 'awaiting_approval') and doubt_attempt is null;

-- Work of the reconcile duty: what it may send again by itself.
create index tool_operations_resendable on public.tool_operations (next_attempt_at)
  where pending_reason = 'ready' and request_sealed is not null;

-- One request for approval and its answer. It is bound to the operation, its fingerprint and contract version, and to
-- the row's version at the request; it holds until valid_until and is consumed by the first attempt that it lets through.
create table public.approvals (
  tenant_id text not null,
  approval_id uuid not null default gen_random_uuid(),
  environment text not null,
  operation_key text not null,
  request_fingerprint text not null,
  tool_version text not null,
  operation_version bigint not null,
  state text not null default 'requested' check (state in ('requested', 'approved', 'denied')),
  requested_by text not null,
  requested_at timestamptz not null default clock_timestamp(),
  decision_id uuid,
  decided_by uuid references public.users,
  decided_at timestamptz,
  reason text check (length(btrim(reason)) between 1 and 4000),
  valid_until timestamptz,
  consumed_at timestamptz,
  consumed_attempt integer,
  primary key (tenant_id, approval_id),
  foreign key (tenant_id, operation_key) references public.tool_operations (tenant_id, operation_key),
  check ((state = 'requested') = (decided_at is null)),
  check ((state = 'approved') = (valid_until is not null))
);
create index approvals_of_operation on public.approvals (tenant_id, operation_key, requested_at desc);
create unique index approvals_one_open on public.approvals (tenant_id, operation_key) where state = 'requested';
create unique index approvals_decision on public.approvals (tenant_id, decision_id) where decision_id is not null;

-- Whether a connector answers. While it does not, the escalation of what waits for it stands still.
create table public.connector_health (
  tenant_id text not null,
  environment text not null,
  connector text not null,
  failing_since timestamptz,
  failures integer not null default 0,
  last_key text,
  because text,
  failed_at timestamptz,
  answered_at timestamptz,
  primary key (tenant_id, environment, connector)
);

-- The last run of each duty by each worker, so that a duty that has stopped is seen.
create table public.duty_runs (
  duty text not null,
  worker text not null,
  runs bigint not null default 1,
  started_at timestamptz not null,
  ended_at timestamptz not null default clock_timestamp(),
  report jsonb not null default '{}',
  failed text,
  primary key (duty, worker)
);

-- A provider job is known and its own answer is not terminal.
create function app.job_open(o public.tool_operations) returns boolean language sql immutable parallel safe
return (o).provider_job_id is not null and (o).job_ended_at is null;

-- What the approval of an operation is at this moment.
create function app.approval_fact(o public.tool_operations, c public.tool_contracts, at timestamptz) returns text
language sql stable parallel safe
begin atomic
  select case
    when not (o).approval_required and coalesce((c).decision, '') <> 'automate_with_approval' then 'not_needed'
    when exists (select from public.approvals a where a.tenant_id = (o).tenant_id and a.operation_key = (o).operation_key
      and a.state = 'approved' and a.valid_until > at and a.request_fingerprint = (o).request_fingerprint
      and a.tool_version = (o).tool_version) then 'valid'
    else 'missing' end;
end;

create or replace function app.evidence_fact(o public.tool_operations, c public.tool_contracts) returns text
language sql stable parallel safe
begin atomic
  select case
    when (o).evidence is null then 'none'
    when (o).evidence = 'found' then case when l.authoritative then 'found' else 'found_advisory' end
    when (o).evidence = 'absent' then case
      when l.authoritative and not app.job_open(o)
        and (o).evidence_asked_at > coalesce((o).quiet_until, 'infinity') + make_interval(secs => (c).settle_seconds)
      then 'absent_conclusive' else 'absent' end
    when (o).evidence = 'refused' then case
      when l.authoritative and (
        (l.names_attempt = (o).doubt_attempt and (o).sent_attempt = (o).doubt_attempt)
        or ((o).first_sent_at = (o).sent_at)
        or (l.source = 'lookup'
          and (o).evidence_asked_at > coalesce((o).quiet_until, 'infinity') + make_interval(secs => (c).settle_seconds)))
      then 'refused_conclusive' else 'refused' end
    else 'inconclusive' end
  from (select 1) as one
  left join public.lookups l on l.tenant_id = (o).tenant_id and l.evidence_id = (o).evidence_id;
end;
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
    'current',
    (o).adopted,
    coalesce((c).lookup, 'none'),
    coalesce((c).resend, 'never'),
    coalesce((c).delicate, false)
  )::app.facts;
end;
create or replace function app.record(o public.tool_operations) returns jsonb language plpgsql stable as $$
declare
  c public.tool_contracts := app.contract_of(o);
  at timestamptz := clock_timestamp();
begin
  return jsonb_build_object(
    'tenant_id', o.tenant_id, 'environment', o.environment, 'operation_key', o.operation_key,
    'tool_name', o.tool_name, 'tool_version', o.tool_version, 'contract_digest', o.contract_digest,
    'request_fingerprint', o.request_fingerprint, 'fingerprint_version', o.fingerprint_version,
    'status', o.status, 'pending_reason', o.pending_reason, 'reason', o.reason,
    'attempt', o.attempt, 'sent_attempt', o.sent_attempt, 'doubt_attempt', o.doubt_attempt, 'version', o.version,
    'lease_token', o.lease_token, 'downstream_key', o.downstream_key,
    'downstream_request_id', o.downstream_request_id, 'provider_job_id', o.provider_job_id,
    'effect_reference', o.effect_reference,
    'has_response', o.response_json is not null, 'response', o.response_json,
    'response_sealed', encode(o.response_sealed, 'base64'), 'request_sealed', encode(o.request_sealed, 'base64'),
    'approval_required', o.approval_required, 'tombstoned', o.tombstoned_at is not null, 'connector', o.connector,
    'actor', o.actor, 'workflow_id', o.workflow_id, 'step_id', o.step_id,
    'supersedes_key', o.supersedes_key, 'successor_key', o.successor_key, 'resolved_by', o.resolved_by,
    'first_recorded_at', o.expires_at - make_interval(secs => c.retention_seconds),
    'wait_ms', greatest(0, ceil(1000 * extract(epoch from coalesce(
      o.lease_until, o.next_attempt_at, at) - at)))::bigint,
    'facts', to_jsonb(app.facts_at(o, c, at)));
end $$;
create function app.sibling_lock(tenant text, environment text, tool text, fingerprint text) returns bigint
language sql immutable parallel safe
return hashtextextended(concat_ws(E'\x1f', tenant, environment, tool, fingerprint), 3);

-- Rule 10: a new key for a request that is known under another one needs a new intent event. Asked under the sibling lock.
create function app.has_sibling(c public.tool_contracts, item jsonb) returns boolean language sql stable as $$
  select case
    when c.require_intent = 'never' then false
    when item->>'intent_event' is not null then exists (select from public.tool_operations s
      where s.tenant_id = item->>'tenant_id' and s.environment = item->>'environment'
        and s.request_fingerprint = item->>'request_fingerprint' and s.tool_name = c.name
        and s.operation_key <> item->>'operation_key' and s.intent_event = item->>'intent_event')
    when c.require_intent = 'always' then true
    else exists (select from public.tool_operations s
      where s.tenant_id = item->>'tenant_id' and s.environment = item->>'environment'
        and s.request_fingerprint = item->>'request_fingerprint' and s.tool_name = c.name
        and s.operation_key <> item->>'operation_key'
        and (s.status in ('pending', 'unknown') or s.contradicted_at is not null
          or (s.status = 'applied' and s.updated_at > clock_timestamp() - make_interval(secs => c.sibling_window_seconds)))) end
$$;

create function app.ask_approval(o public.tool_operations, p_actor text) returns void language sql as $$
  insert into public.approvals (tenant_id, environment, operation_key, request_fingerprint, tool_version, operation_version, requested_by)
  values (o.tenant_id, o.environment, o.operation_key, o.request_fingerprint, o.tool_version, o.version, coalesce(p_actor, 'unknown'))
$$;

-- Claims each row, or loads what is there. `claimed`: this claim made the row, which its token shows also after a lost
-- reply. Refused: a sibling without a new intent event, or a key that another environment's row has.
create or replace function app.claim(p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; c public.tool_contracts; at timestamptz; answers jsonb := '{}';
  refusal text; leased boolean; sending boolean;
begin
  -- siblings are judged one after the other; all locks first and in one order, so that two callers never wait for each other
  perform pg_advisory_xact_lock(l.id) from (
    select distinct app.sibling_lock(t.value->>'tenant_id', t.value->>'environment', x.name, t.value->>'request_fingerprint') as id
    from jsonb_array_elements(p_rows) t join public.tool_contracts x
      on x.name = t.value->>'tool_name' and x.version = t.value->>'tool_version' and x.require_intent <> 'never'
    order by 1) l;
  for item, ord in select t.value, t.ordinality from jsonb_array_elements(p_rows) with ordinality t
    order by t.value->>'tenant_id', t.value->>'operation_key', t.ordinality
  loop
    select * into c from public.tool_contracts where name = item->>'tool_name' and version = item->>'tool_version';
    if not found then
      raise exception 'contract % % is not registered', item->>'tool_name', item->>'tool_version' using errcode = 'P0002';
    end if;
    select * into o from public.tool_operations
     where tenant_id = item->>'tenant_id' and operation_key = item->>'operation_key';
    refusal := case when found then case when o.environment <> item->>'environment' then 'key_taken' end
      when app.has_sibling(c, item) then 'sibling' end;
    if refusal is not null then
      answers := answers || jsonb_build_object(ord::text, jsonb_build_object('claimed', false, 'refusal', refusal, 'record', null));
      continue;
    end if;
    at := clock_timestamp();
    leased := item->>'into' = 'leased';
    sending := leased and (item->>'send')::boolean;
    insert into public.tool_operations (
      tenant_id, operation_key, environment, tool_name, tool_version, effect_class, contract_digest, connector, deploy,
      request_fingerprint, fingerprint_version, request_redacted, request_sealed, intent_event, business_reference,
      status, pending_reason, attempt, sent_attempt, doubt_attempt, first_sent_at, sent_at, quiet_until,
      downstream_key, downstream_request_id, lease_owner, lease_token, lease_until, case_at, response_due_at,
      workflow_id, step_id, actor, trace_id, approval_required, adopted, version, created_at, updated_at)
    values (
      item->>'tenant_id', item->>'operation_key', item->>'environment', c.name, c.version, c.effect_class, c.digest,
      item->>'connector', item->>'deploy', item->>'request_fingerprint', (item->>'fingerprint_version')::integer,
      item->'request_redacted', decode(item->>'request_sealed', 'base64'), item->>'intent_event', item->>'business_reference',
      'pending', item->>'into', case when leased then 1 else 0 end,
      case when sending then 1 end, case when sending then 1 end,
      case when sending then at end, case when sending then at end,
      case when sending then at + make_interval(secs => c.call_budget_ms / 1000.0) end,
      item->>'downstream_key', case when leased then item->>'downstream_request_id' end, case when leased then item->>'lease_owner' end,
      case when leased then (item->>'lease_token')::uuid end, case when leased then at + make_interval(secs => c.lease_seconds) end,
      case when leased then at + make_interval(secs => c.lease_seconds) + interval '60 seconds'
        else at + make_interval(secs => c.response_seconds) end,
      at + make_interval(secs => c.response_seconds),
      item->>'workflow_id', item->>'step_id', item->>'actor', item->'trace'->>'trace_id',
      coalesce((item->>'approval_required')::boolean, false), false, 1, at, at)
    on conflict (tenant_id, operation_key) do nothing
    returning * into o;
    if not found then
      select * into strict o from public.tool_operations
       where tenant_id = item->>'tenant_id' and operation_key = item->>'operation_key';
      answers := answers || jsonb_build_object(ord::text, jsonb_build_object(
        'claimed', o.lease_token is not null and o.lease_token = (item->>'lease_token')::uuid, 'refusal', null, 'record', app.record(o)));
      continue;
    end if;
    perform app.add_event(o, case when leased then 'claim' else 'request_approval' end, null, item->'trace');
    if not leased then perform app.ask_approval(o, item->'trace'->>'actor'); end if;
    answers := answers || jsonb_build_object(ord::text, jsonb_build_object('claimed', true, 'refusal', null, 'record', app.record(o)));
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;
create or replace function app.transition(p_event text, p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; was public.tool_operations; c public.tool_contracts; f app.facts;
  l public.lookups; at timestamptz; refusal text; target text; second_effect boolean; answers jsonb := '{}';
begin
  if p_event is null or p_event not in ('acquire', 'send', 'accept', 'apply', 'refuse', 'release', 'doubt', 'expire',
    'settle_found', 'settle_refused', 'settle_absent', 'resend', 'give_up', 'request_approval', 'abandon', 'compact') then
    raise exception '% is no event of an executor', p_event using errcode = '22023';
  end if;
  if p_event in ('apply', 'settle_found') then
    -- second effects of one business reference are judged one after the other; before any row is locked, in one order
    perform pg_advisory_xact_lock(locks.id) from (
      select distinct hashtextextended(concat_ws(E'\x1f', r.tenant_id, r.environment, r.tool_name, r.business_reference), 5) as id
      from jsonb_array_elements(p_rows) i
      join public.tool_operations r on r.tenant_id = i.value->>'tenant_id' and r.operation_key = i.value->>'operation_key'
      join public.tool_contracts x on x.name = r.tool_name and x.version = r.tool_version and x.one_per_reference
      where r.business_reference is not null order by 1) locks;
  end if;
  for item, ord in select t.value, t.ordinality from jsonb_array_elements(p_rows) with ordinality t
    order by t.value->>'tenant_id', t.value->>'operation_key', t.ordinality
  loop
    select * into o from public.tool_operations
     where tenant_id = item->>'tenant_id' and operation_key = item->>'operation_key' and environment = item->>'environment'
     for update;
    if not found then
      answers := answers || jsonb_build_object(ord::text, jsonb_build_object('refusal', 'missing', 'record', null));
      continue;
    end if;
    at := clock_timestamp(); was := o; c := app.contract_of(o); f := app.facts_at(o, c, at);
    refusal := case
      when (p_event in ('send', 'accept', 'apply', 'refuse', 'release', 'doubt') or (p_event = 'request_approval' and o.lease_token is not null))
        and (o.lease_token is null or o.lease_token is distinct from (item->>'lease_token')::uuid) then 'fenced'
      when (p_event in ('settle_refused', 'settle_absent', 'resend', 'give_up') or (p_event = 'settle_found' and item ? 'version'))
        and (o.version is distinct from (item->>'version')::bigint or o.attempt is distinct from (item->>'attempt')::integer) then 'changed'
      when not app.allowed(p_event, f) then 'not_allowed' end;
    if refusal is not null then
      answers := answers || jsonb_build_object(ord::text, jsonb_build_object('refusal', refusal, 'record', app.record(o)));
      continue;
    end if;

    target := app.next_state(p_event, f);
    o.status := split_part(target, '/', 1); o.pending_reason := nullif(split_part(target, '/', 2), '');
    if p_event = 'compact' then
      o.response_json := null; o.response_sealed := null; o.request_sealed := null; o.request_redacted := null; o.tombstoned_at := at;
      update public.lookups x set response_json = null, response_sealed = null
       where x.tenant_id = o.tenant_id and x.operation_key = o.operation_key and x.response_json is not null;
    else
      o.version := o.version + 1; o.updated_at := at;
    end if;
    if p_event not in ('acquire', 'send') then
      o.lease_token := null; o.lease_until := null; o.lease_owner := null;
    end if;

    if p_event = 'acquire' then
      o.attempt := o.attempt + 1; o.attempt_ended_at := null; o.reason := null; o.next_attempt_at := null;
      o.lease_token := (item->>'lease_token')::uuid; o.lease_owner := item->>'lease_owner';
      o.lease_until := at + make_interval(secs => c.lease_seconds);
      o.downstream_key := coalesce(o.downstream_key, item->>'downstream_key');
      o.deploy := coalesce(item->>'deploy', o.deploy);
      update public.approvals a set consumed_at = at, consumed_attempt = o.attempt
       where a.tenant_id = o.tenant_id and a.operation_key = o.operation_key and a.state = 'approved' and a.consumed_at is null
         and a.valid_until > at and (o.approval_required or c.decision = 'automate_with_approval');
    end if;
    if p_event = 'request_approval' then o.next_attempt_at := null; o.doubt_attempt := null; end if;
    if p_event = 'send' or (p_event = 'acquire' and (item->>'send')::boolean) then
      o.sent_attempt := o.attempt; o.sent_at := at; o.first_sent_at := coalesce(o.first_sent_at, at);
      o.quiet_until := at + make_interval(secs => c.call_budget_ms / 1000.0);
      o.doubt_attempt := coalesce(o.doubt_attempt, o.attempt);
      o.downstream_request_id := item->>'downstream_request_id';
    end if;
    if p_event in ('apply', 'accept', 'refuse', 'release', 'doubt') and coalesce((item->>'ended')::boolean, true) then
      o.attempt_ended_at := at;
    end if;
    if p_event in ('refuse', 'release', 'settle_absent', 'settle_refused', 'settle_found', 'apply')
      or (p_event = 'expire' and o.pending_reason = 'ready') then
      -- what stays in doubt here would be a doubt of this attempt alone, which the event disproves
      o.doubt_attempt := null; o.recover_until := null;
    end if;
    if p_event in ('release', 'settle_absent', 'resend') or (p_event = 'expire' and o.pending_reason = 'ready') then
      o.next_attempt_at := at + make_interval(secs => coalesce((item->>'retry_after_ms')::float8 / 1000, 0));
    end if;
    if p_event = 'settle_absent' then o.provider_job_id := null; o.job_ended_at := null; end if;
    if p_event in ('doubt', 'expire') and o.pending_reason is distinct from 'ready' then
      o.reason := coalesce(item->>'reason', 'lease_expired');
      o.doubt_attempt := coalesce(o.doubt_attempt, o.attempt);
      o.recover_until := coalesce(o.recover_until, at + make_interval(secs => c.recovery_seconds));
      o.next_attempt_at := at; -- the first lookup may be asked at once
    end if;
    if p_event = 'accept' then
      o.provider_job_id := item->>'provider_job_id'; o.job_ended_at := null;
      o.next_attempt_at := at + make_interval(secs => c.backoff_seconds);
      o.recover_until := at + make_interval(secs => coalesce(c.job_seconds, 0) + c.recovery_seconds);
    end if;
    if p_event = 'apply' then
      o.effect_reference := item->>'effect_reference'; o.response_json := item->'response';
      o.response_sealed := decode(item->>'response_sealed', 'base64');
      o.resolved_by := 'executor'; o.reason := null;
    end if;
    if p_event = 'settle_found' then
      select * into strict l from public.lookups where tenant_id = o.tenant_id and evidence_id = o.evidence_id;
      o.effect_reference := l.effect_reference; o.response_json := coalesce(l.response_json, o.response_json);
      o.response_sealed := coalesce(l.response_sealed, o.response_sealed);
      o.resolved_by := case when l.source = 'late_answer' then 'executor' else 'reconciler' end; o.reason := null;
    end if;
    if p_event in ('refuse', 'settle_refused') then
      o.reason := coalesce(item->>'reason', 'refused');
      o.resolved_by := case p_event when 'refuse' then 'executor' else 'reconciler' end;
    end if;
    if p_event = 'abandon' then o.reason := 'never_sent'; o.resolved_by := 'reconciler'; end if;
    if p_event = 'give_up' then
      o.reason := case when was.pending_reason = 'accepted' then 'job_lost' else coalesce(item->>'reason', 'recovery_exhausted') end;
    end if;
    if o.status <> 'pending' then o.next_attempt_at := null; end if;
    if o.status in ('applied', 'failed_permanent', 'approved_new_key') and p_event <> 'compact' then
      o.expires_at := at + make_interval(secs => c.retention_seconds);
    end if;
    second_effect := o.status = 'applied' and was.status <> 'applied' and c.one_per_reference and app.has_second_effect(o);
    if o.status = 'applied' and (app.names_another_receipt(o) or second_effect) then o.contradicted_at := coalesce(o.contradicted_at, at); end if;
    o.case_at := app.case_at(o, c, at);

    update public.tool_operations t set
      status = o.status, pending_reason = o.pending_reason, reason = o.reason, version = o.version, updated_at = o.updated_at,
      attempt = o.attempt, sent_attempt = o.sent_attempt, doubt_attempt = o.doubt_attempt, first_sent_at = o.first_sent_at,
      sent_at = o.sent_at, quiet_until = o.quiet_until, attempt_ended_at = o.attempt_ended_at,
      downstream_key = o.downstream_key, downstream_request_id = o.downstream_request_id, deploy = o.deploy,
      lease_owner = o.lease_owner, lease_token = o.lease_token, lease_until = o.lease_until,
      next_attempt_at = o.next_attempt_at, recover_until = o.recover_until, provider_job_id = o.provider_job_id,
      effect_reference = o.effect_reference, response_json = o.response_json, response_sealed = o.response_sealed,
      request_sealed = o.request_sealed, request_redacted = o.request_redacted, tombstoned_at = o.tombstoned_at,
      job_ended_at = o.job_ended_at, resolved_by = o.resolved_by,
      case_at = o.case_at, contradicted_at = o.contradicted_at, expires_at = o.expires_at
     where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
    perform app.add_event(o, p_event, was.status, item->'trace',
      case when second_effect then jsonb_build_object('second_effect_of', o.business_reference) else '{}' end);
    if p_event = 'request_approval' then perform app.ask_approval(o, item->'trace'->>'actor'); end if;
    answers := answers || jsonb_build_object(ord::text, jsonb_build_object('refusal', null, 'record', app.record(o)));
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;
-- Notes what a connector's answer, or its silence, says about the connector.
create function app.heard(o public.tool_operations, l public.lookups, at timestamptz) returns public.connector_health
language plpgsql as $$
declare h public.connector_health;
begin
  if l.source not in ('lookup', 'job') or o.connector is null then return null; end if;
  if l.answer = 'failed' then
    -- one operation that can never be asked about is no outage: it counts once
    insert into public.connector_health as x (tenant_id, environment, connector, failing_since, failures, last_key, because, failed_at)
    values (o.tenant_id, o.environment, o.connector, at, 1, o.operation_key, l.summary, at)
    on conflict (tenant_id, environment, connector) do update set failing_since = coalesce(x.failing_since, excluded.failing_since),
      failures = x.failures + case when x.last_key = excluded.last_key then 0 else 1 end, last_key = excluded.last_key,
      because = excluded.because, failed_at = excluded.failed_at
    returning * into h;
    return h;
  end if;
  -- an answer is written down where it ends a failure, and else once in a while: the row is everybody's
  insert into public.connector_health as x (tenant_id, environment, connector, answered_at)
  values (o.tenant_id, o.environment, o.connector, at)
  on conflict (tenant_id, environment, connector) do update set failing_since = null, failures = 0, last_key = null, because = null, answered_at = at
    where x.failures > 0 or x.answered_at is null or x.answered_at < at - interval '10 seconds';
  return null;
end $$;

-- A provider is out of reach once three questions about different operations failed in a row; after the contract's outage_seconds it is a person's.
create function app.is_outage(h public.connector_health, c public.tool_contracts, at timestamptz) returns boolean
language sql immutable parallel safe
return coalesce((h).failures >= 3 and (h).failing_since + make_interval(secs => coalesce((c).outage_seconds, 86400)) > at, false);

-- Until when an operation may recover whose provider could not be asked: the time since this was last reckoned (the row
-- was updated), or since the provider fell silent, does not count; and it is asked once more before anybody is called.
create function app.waiting_for(o public.tool_operations, h public.connector_health, next_at timestamptz, at timestamptz)
returns timestamptz language sql immutable parallel safe
return greatest((o).recover_until + (at - greatest((h).failing_since, (o).updated_at)),
  next_at + interval '30 seconds');

-- Whether this tool has had another effect for the same business reference.
create function app.has_second_effect(o public.tool_operations) returns boolean language sql stable
return (o).business_reference is not null and exists (select from public.tool_operations x
  where x.tenant_id = (o).tenant_id and x.environment = (o).environment
    and left(x.business_reference, 200) = left((o).business_reference, 200) and x.business_reference = (o).business_reference
    and x.tool_name = (o).tool_name and x.operation_key <> (o).operation_key and x.status = 'applied'
    and x.effect_reference is distinct from (o).effect_reference);

-- What waits for a provider that is out of reach, and was not asked because a probe was not answered.
create function app.postpone(p_rows jsonb) returns integer language plpgsql as $$
declare postponed integer;
begin
  update public.tool_operations t set recover_until = w.until, next_attempt_at = w.next_at, updated_at = w.at,
    case_at = case when t.pending_reason = 'recovering' then w.until else t.case_at end
  from (select o.tenant_id, o.operation_key, n.at, n.next_at, app.waiting_for(o, h, n.next_at, n.at) as until
    from jsonb_array_elements(p_rows) i
    join public.tool_operations o on o.tenant_id = i.value->>'tenant_id' and o.operation_key = i.value->>'operation_key'
      and o.environment = i.value->>'environment' and o.pending_reason in ('recovering', 'accepted')
    join public.connector_health h on h.tenant_id = o.tenant_id and h.environment = o.environment and h.connector = o.connector
    cross join lateral (select clock_timestamp() as at, clock_timestamp() + interval '15 seconds' as next_at) n
    where app.is_outage(h, app.contract_of(o), n.at)) w
  where t.tenant_id = w.tenant_id and t.operation_key = w.operation_key;
  get diagnostics postponed = row_count;
  return postponed;
end $$;

create or replace function app.record_evidence(p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; l public.lookups; f app.facts; c public.tool_contracts;
  n public.tool_operations; at timestamptz; changes boolean; concludes boolean; contradicts boolean; unchanged boolean; answers jsonb := '{}'; attempts integer;
  h public.connector_health; next_at timestamptz; outage boolean;
begin
  for item, ord in select t.value, t.ordinality from jsonb_array_elements(p_rows) with ordinality t
    order by t.value->>'tenant_id', t.value->>'operation_key', t.ordinality
  loop
    select * into o from public.tool_operations
     where tenant_id = item->>'tenant_id' and operation_key = item->>'operation_key' and environment = item->>'environment'
     for update;
    if not found then
      answers := answers || jsonb_build_object(ord::text, jsonb_build_object('evidence_id', null, 'record', null));
      continue;
    end if;
    at := clock_timestamp(); c := app.contract_of(o);
    unchanged := o.version = (item->>'version')::bigint and o.attempt = (item->>'attempt')::integer;
    insert into public.lookups (tenant_id, environment, operation_key, request_id, source, asked_by, connector, looked_up_by,
      asked_at, answer, authoritative, names_attempt, effect_reference, committed_at, response_json, response_sealed, summary, detail)
    values (o.tenant_id, o.environment, o.operation_key, (item->>'request_id')::uuid, item->>'source', item->>'asked_by',
      o.connector, item->>'looked_up_by', coalesce((item->>'asked_at')::timestamptz, at), item->>'answer',
      (item->>'authoritative')::boolean and item->>'source' <> 'person', (item->>'names_attempt')::integer,
      item->>'effect_reference', (item->>'committed_at')::timestamptz,
      -- past its retention no result is kept again
      case when o.tombstoned_at is null and coalesce(o.expires_at > at, true) then item->'response' end,
      case when o.tombstoned_at is null and coalesce(o.expires_at > at, true) then decode(item->>'response_sealed', 'base64') end, item->>'summary',
      coalesce(item->'detail', '{}'))
    returning * into l;
    if l.request_id is not null then
      update public.lookup_requests r set answered_at = at, evidence_id = l.evidence_id
       where r.tenant_id = o.tenant_id and r.request_id = l.request_id and r.operation_key = o.operation_key;
    end if;
    -- found stays: only the same finding asked again later, or one of an authority, takes its place
    changes := case
      when o.evidence is null then true
      when o.evidence = 'found' then l.answer = 'found' and exists (select from public.lookups x
        where x.tenant_id = o.tenant_id and x.evidence_id = o.evidence_id and (
          (l.authoritative and not x.authoritative)
          or (l.authoritative = x.authoritative and l.asked_at >= x.asked_at
            and l.effect_reference is not distinct from x.effect_reference)))
      else l.answer = 'found' or l.asked_at >= o.evidence_asked_at end;
    h := app.heard(o, l, at);
    n := o;
    -- a job's own last word ends it; a job that a late answer names can be asked for
    if l.source = 'job' and l.answer in ('found', 'refused') then n.job_ended_at := at; end if;
    n.provider_job_id := coalesce(o.provider_job_id, item->>'provider_job_id');
    if changes then n.evidence := l.answer; n.evidence_id := l.evidence_id; n.evidence_asked_at := l.asked_at; end if;
    concludes := changes and (n.evidence is distinct from o.evidence or app.evidence_fact(n, c) <> app.evidence_fact(o, c)
      or l.effect_reference is distinct from (select x.effect_reference from public.lookups x
        where x.tenant_id = o.tenant_id and x.evidence_id = o.evidence_id));
    contradicts := case o.status
      when 'failed_permanent' then l.answer = 'found'
      when 'approved_new_key' then l.answer = 'found'
      when 'applied' then l.authoritative and ((l.answer = 'found' and l.effect_reference <> o.effect_reference)
        or (l.answer = 'absent' and l.asked_at > o.quiet_until + make_interval(secs => c.settle_seconds)) or l.answer = 'refused')
      else false end;
    outage := l.answer = 'failed' and app.is_outage(h, c, at);
    select count(*) into attempts from public.lookups x where x.tenant_id = o.tenant_id and x.operation_key = o.operation_key;
    -- ask again after a growing pause, at once when absence can have become conclusive, and when time is over
    next_at := least(case when o.recover_until > at then o.recover_until end, case
      when l.answer = 'absent' and l.authoritative and l.asked_at <= o.quiet_until + make_interval(secs => c.settle_seconds)
      then o.quiet_until + make_interval(secs => c.settle_seconds)
      else at + make_interval(secs => least(60, c.backoff_seconds * power(2, least(attempts - 1, 6)))) end);
    update public.tool_operations t set
      version = t.version + case when concludes or n.job_ended_at is distinct from t.job_ended_at
        or n.provider_job_id is distinct from t.provider_job_id or (contradicts and t.contradicted_at is null) then 1 else 0 end,
      evidence = n.evidence, evidence_id = n.evidence_id, evidence_asked_at = n.evidence_asked_at,
      job_ended_at = n.job_ended_at, provider_job_id = n.provider_job_id,
      delivery_state = coalesce(item->>'delivery_state', t.delivery_state),
      contradicted_at = case when contradicts then coalesce(t.contradicted_at, at) else t.contradicted_at end,
      recover_until = case when outage and t.pending_reason in ('recovering', 'accepted')
        then app.waiting_for(t, h, next_at, at) else t.recover_until end,
      case_at = case when contradicts then coalesce(t.case_at, at)
        when outage and t.pending_reason = 'recovering' then app.waiting_for(t, h, next_at, at) else t.case_at end,
      next_attempt_at = case when t.pending_reason in ('recovering', 'accepted') then next_at else t.next_attempt_at end,
      updated_at = at
     where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key
    returning * into o;
    perform app.add_event(o, case when l.source = 'late_answer' then 'late_evidence' else 'looked_up' end, o.status, item->'trace',
      jsonb_build_object('evidence_id', l.evidence_id, 'answer', l.answer, 'asked_at', l.asked_at,
        'authoritative', l.authoritative, 'effect_reference', l.effect_reference, 'committed_at', l.committed_at,
        'asked_by', l.asked_by, 'contradicts', contradicts));
    f := app.facts_at(o, c, at);
    if l.source = 'late_answer' and app.allowed('settle_found', f) then
      perform app.transition('settle_found', jsonb_build_array(jsonb_build_object('tenant_id', o.tenant_id,
        'operation_key', o.operation_key, 'environment', o.environment, 'trace', item->'trace')));
      select * into strict o from public.tool_operations t where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
    end if;
    answers := answers || jsonb_build_object(ord::text, jsonb_build_object('evidence_id', l.evidence_id, 'unchanged', unchanged, 'record', app.record(o)));
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;
create or replace function app.take_reconcilable(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb language plpgsql as $$
declare taken jsonb;
begin
  with due as (
    select o.tenant_id, o.operation_key from public.tool_operations o
     where (o.pending_reason in ('recovering', 'accepted') or (o.status = 'unknown' and o.evidence = 'found'
         -- what a person asked for is that person's to decide
         and exists (select from public.lookups l where l.tenant_id = o.tenant_id and l.evidence_id = o.evidence_id
           and l.authoritative and l.request_id is null)))
       and coalesce(o.next_attempt_at, '-infinity') <= clock_timestamp() and not o.adopted
       and exists (select from jsonb_array_elements(p_tools) t
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version and t.value->>'environment' = o.environment)
     order by o.next_attempt_at nulls first limit p_limit for update skip locked
  ), taken_rows as (
    update public.tool_operations o set next_attempt_at = clock_timestamp() + make_interval(secs => p_seconds)
      from due where o.tenant_id = due.tenant_id and o.operation_key = due.operation_key
    returning o.*
  ), over as (
    select o.* from public.tool_operations o
     where o.pending_reason = 'ready' and o.doubt_attempt is not null and not o.adopted
       and exists (select from jsonb_array_elements(p_tools) t
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version and t.value->>'environment' = o.environment)
       and (app.allowed('settle_found', app.facts_of(o)) or app.allowed('give_up', app.facts_of(o)))
     order by o.next_attempt_at limit p_limit
  )
  select coalesce(jsonb_agg(app.record(r) || jsonb_build_object('asked_at', clock_timestamp(), 'request', coalesce(r.request_redacted, '{}'),
    'outage', exists (select from public.connector_health h where h.tenant_id = r.tenant_id and h.environment = r.environment
      and h.connector = r.connector and app.is_outage(h, app.contract_of(r), clock_timestamp())))), '[]') into taken
  from (select * from taken_rows union all select * from over) r;
  return taken;
end $$;
-- Work of the recover duty: what was never sent and is given up after the contract's abandon_after.
create function app.abandonable(p_limit integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('tenant_id', tenant_id, 'environment', environment, 'operation_key', operation_key)), '[]')
  from (select o.tenant_id, o.environment, o.operation_key from public.tool_operations o
    join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version and c.abandon_after_seconds is not null
    where o.pending_reason in ('ready', 'queued', 'awaiting_approval') and o.doubt_attempt is null and not o.adopted
      and o.created_at <= clock_timestamp() - make_interval(secs => c.abandon_after_seconds)
      and app.allowed('abandon', app.facts_of(o))
    order by o.created_at limit p_limit) due
$$;

-- What the reconcile duty may send again from the sealed request; acquire decides who does.
create function app.resendable(p_tools jsonb, p_limit integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(app.record(o)), '[]') from (select * from public.tool_operations r
    where r.pending_reason = 'ready' and r.request_sealed is not null and r.next_attempt_at <= clock_timestamp() and not r.adopted
      and exists (select from jsonb_array_elements(p_tools) t
        where t.value->>'name' = r.tool_name and t.value->>'version' = r.tool_version and t.value->>'environment' = r.environment)
      and app.allowed('acquire', app.facts_of(r))
    order by r.next_attempt_at limit p_limit) o
$$;

-- Work of the compact duty.
create function app.past_retention(p_limit integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('tenant_id', tenant_id, 'environment', environment, 'operation_key', operation_key)), '[]')
  from (select tenant_id, environment, operation_key from public.tool_operations
    where expires_at is not null and tombstoned_at is null and contradicted_at is null and expires_at <= clock_timestamp() and not adopted
    order by expires_at limit p_limit) due
$$;

create function app.duty_ran(p_duty text, p_worker text, p_ms double precision, p_report jsonb, p_failed text) returns void language sql as $$
  insert into public.duty_runs as d (duty, worker, started_at, report, failed)
  values (p_duty, p_worker, clock_timestamp() - make_interval(secs => p_ms / 1000), p_report, p_failed)
  on conflict (duty, worker) do update set runs = d.runs + 1, started_at = excluded.started_at, ended_at = clock_timestamp(),
    report = excluded.report, failed = excluded.failed
$$;

-- A person's answer to a request for approval: once, by an approver, for the version that the person saw.
create function app.decide_approval(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid,
  p_answer text, p_reason text)
returns jsonb language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  o public.tool_operations; c public.tool_contracts; f app.facts; a public.approvals; event text; at timestamptz; entry bigint; was text;
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_answer is null or p_answer not in ('approve', 'deny') or p_version is null or p_decision is null
    or length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'an answer, the version that was seen, a decision id and a reason of 1 to 4000 characters are required' using errcode = '22023';
  end if;
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  perform pg_advisory_xact_lock(hashtextextended(p_tenant || E'\x1f' || p_decision, 4));
  select * into a from public.approvals where tenant_id = p_tenant and decision_id = p_decision;
  if found then
    if a.operation_key <> p_key or a.decided_by <> p_user or a.reason <> p_reason
      or a.state <> (case p_answer when 'approve' then 'approved' else 'denied' end) then
      return jsonb_build_object('outcome', 'decision_id_reused');
    end if;
    return jsonb_build_object('outcome', 'repeated', 'approval_id', a.approval_id, 'state', a.state, 'valid_until', a.valid_until);
  end if;
  at := clock_timestamp(); c := app.contract_of(o); f := app.facts_at(o, c, at); was := o.status; event := p_answer;
  select * into a from public.approvals x where x.tenant_id = p_tenant and x.operation_key = p_key order by x.requested_at desc limit 1;
  if not 'approver' = any (roles) then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'approval_refused', p_key, jsonb_build_object(
      'answer', p_answer, 'refusal', 'not_granted', 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'refused', 'refusal', 'not_granted', 'audit_sequence', entry);
  end if;
  if o.version <> p_version or not app.allowed(event, f) or a.state is distinct from 'requested' then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'approval_conflict', p_key, jsonb_build_object(
      'answer', p_answer, 'expected_version', p_version, 'version', o.version, 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'conflict', 'version', o.version, 'status', o.status, 'pending_reason', o.pending_reason,
      'state', a.state, 'decided_at', a.decided_at, 'decided_by', (select u.name from public.users u where u.user_id = a.decided_by),
      'audit_sequence', entry);
  end if;
  update public.approvals x set state = case p_answer when 'approve' then 'approved' else 'denied' end, decision_id = p_decision,
    decided_by = p_user, decided_at = at, reason = p_reason,
    valid_until = case p_answer when 'approve' then at + make_interval(secs => coalesce(c.approval_valid_seconds, 300)) end
   where x.tenant_id = p_tenant and x.approval_id = a.approval_id returning * into a;
  o.version := o.version + 1; o.updated_at := at;
  if p_answer = 'approve' then
    o.pending_reason := 'ready'; o.next_attempt_at := at;
  else
    o.status := 'failed_permanent'; o.pending_reason := null; o.reason := 'approval_denied'; o.resolved_by := 'decision:' || p_decision;
    o.next_attempt_at := null; o.expires_at := at + make_interval(secs => coalesce(c.retention_seconds, 31536000));
  end if;
  o.case_at := app.case_at(o, c, at);
  update public.tool_operations t set status = o.status, pending_reason = o.pending_reason, reason = o.reason, version = o.version,
    updated_at = o.updated_at, next_attempt_at = o.next_attempt_at, resolved_by = o.resolved_by, expires_at = o.expires_at, case_at = o.case_at
   where t.tenant_id = p_tenant and t.operation_key = p_key;
  perform app.add_event(o, event, was, jsonb_build_object('actor', 'user:' || p_user), jsonb_build_object('approval_id', a.approval_id));
  entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'approval', p_key, jsonb_build_object('approval_id', a.approval_id,
    'answer', p_answer, 'reason', p_reason, 'decision_id', p_decision, 'valid_until', a.valid_until, 'version', o.version,
    'request_fingerprint', a.request_fingerprint, 'tool_version', a.tool_version,
    'person', (select u.name from public.users u where u.user_id = p_user)));
  return jsonb_build_object('outcome', 'decided', 'approval_id', a.approval_id, 'state', a.state, 'valid_until', a.valid_until,
    'version', o.version, 'audit_sequence', entry);
end $$;

-- The same version with another digest is refused: a version's effect-bearing rules never change. Prose, and the decision
-- that a review signed for this digest, are a revision.
create or replace function app.register_contract(p_contract jsonb) returns text language plpgsql as $$
declare stored public.tool_contracts; adopted_key text;
begin
  select o.operation_key into adopted_key from public.tool_operations o
   where o.adopted and o.tool_name = p_contract->>'name'
     and not starts_with(o.operation_key, app.key_part(o.tenant_id) || ':' || app.key_part(o.environment) || ':') limit 1;
  if found then
    raise exception 'the tool % has adopted operations whose keys have another shape (%), so a repeated step would get a second key; give the tool a new name',
      p_contract->>'name', adopted_key using errcode = 'P0001';
  end if;
  insert into public.tool_contracts as t (name, version, digest, body, effect_class, lookup, resend, delicate, key_window_seconds,
    call_budget_ms, settle_seconds, recovery_seconds, job_seconds, max_attempts, backoff_seconds, lease_seconds,
    response_seconds, retention_seconds, abandon_after_seconds, decision, require_intent, sibling_window_seconds,
    approval_valid_seconds, outage_seconds, one_per_reference)
  select r.name, r.version, r.digest, r.body, r.effect_class, r.lookup, r.resend, r.delicate, r.key_window_seconds,
    r.call_budget_ms, r.settle_seconds, r.recovery_seconds, r.job_seconds, r.max_attempts, r.backoff_seconds, r.lease_seconds,
    r.response_seconds, r.retention_seconds, r.abandon_after_seconds, r.decision, coalesce(r.require_intent, 'on_sibling'),
    coalesce(r.sibling_window_seconds, 0), r.approval_valid_seconds, coalesce(r.outage_seconds, 86400),
    coalesce(r.one_per_reference, false)
  from jsonb_populate_record(null::public.tool_contracts, p_contract) r
  on conflict (name, version) do update set body = excluded.body, revision = t.revision + 1,
    response_seconds = excluded.response_seconds, decision = excluded.decision
    where t.digest = excluded.digest and t.body is distinct from excluded.body;
  select * into strict stored from public.tool_contracts where name = p_contract->>'name' and version = p_contract->>'version';
  return stored.digest;
end $$;
do $$
declare t text;
begin
  foreach t in array array['approvals', 'connector_health']
  loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('create policy definer on public.%I to replay_definer using (true) with check (true)', t);
    execute format($p$create policy console on public.%I for select to replay_console
      using ((tenant_id || E'\x1f' || environment) = any ((select app.scopes())::text[]))$p$, t);
    execute format('create policy auditor on public.%I for select to replay_auditor using (true)', t);
    execute format('create policy executor on public.%I to replay_executor using (true) with check (true)', t);
    execute format('grant select on public.%I to replay_console, replay_auditor', t);
    execute format('grant select, insert, update on public.%I to replay_executor, replay_definer', t);
  end loop;
end $$;
-- compact drops what evidence has kept of a result
grant update (response_json, response_sealed) on public.lookups to replay_executor;
grant select on public.duty_runs to replay_console, replay_auditor;
grant select, insert, update on public.duty_runs to replay_executor;

alter function app.decide_approval owner to replay_definer;
revoke execute on function app.job_open, app.approval_fact, app.sibling_lock, app.has_sibling, app.ask_approval, app.heard, app.has_second_effect,
  app.is_outage, app.waiting_for, app.postpone, app.abandonable, app.past_retention, app.resendable, app.duty_ran, app.decide_approval from public;
grant execute on function app.job_open, app.approval_fact, app.is_outage to replay_console, replay_executor, replay_auditor, replay_definer;
grant execute on function app.has_second_effect, app.sibling_lock, app.has_sibling, app.ask_approval, app.heard, app.waiting_for, app.postpone,
  app.abandonable, app.past_retention, app.resendable, app.duty_ran to replay_executor;
grant execute on function app.decide_approval to replay_console;
