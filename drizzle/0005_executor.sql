-- What the executor's store calls. Each function is one statement for its caller, takes arrays, and judges by the
-- database clock. The caller binds tenant and environment in every row that it passes.

-- A record as the executor reads it, with its facts and the times that a caller may wait.
create function app.record(o public.tool_operations) returns jsonb language plpgsql stable as $$
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
    'supersedes_key', o.supersedes_key, 'successor_key', o.successor_key, 'resolved_by', o.resolved_by,
    'first_recorded_at', o.expires_at - make_interval(secs => c.retention_seconds),
    'wait_ms', greatest(0, ceil(1000 * extract(epoch from coalesce(
      o.lease_until, o.next_attempt_at, at) - at)))::bigint,
    'facts', to_jsonb(app.facts_at(o, c, at)));
end $$;

-- Appends to the trace. `steps` arrive as milliseconds before now, so that no worker's wall clock is stored.
create function app.add_event(o public.tool_operations, kind text, from_status text, trace jsonb, detail jsonb default '{}')
returns void language sql as $$
  insert into public.tool_operation_events (tenant_id, environment, operation_key, kind, steps, from_status, to_status,
    to_pending_reason, reason, attempt, version, actor, worker, trace_id, span_id, tool_call_id, delivery_id, detail)
  select o.tenant_id, o.environment, o.operation_key, kind,
    coalesce((select jsonb_agg(jsonb_build_object(
        'step', s->>'step', 'at', clock_timestamp() - make_interval(secs => (s->>'ms_ago')::float8 / 1000)) || (s - 'step' - 'ms_ago'))
      from jsonb_array_elements(coalesce(trace->'steps', '[]')) s), '[]'),
    from_status, o.status, o.pending_reason, o.reason, o.attempt, o.version,
    trace->>'actor', trace->>'worker', trace->>'trace_id', trace->>'span_id', trace->>'tool_call_id',
    trace->>'delivery_id', coalesce(trace->'detail', '{}') || detail
$$;

-- Claims each row, or loads what is there. `claimed` is read off the token, so a lost reply can be asked again.
-- With `send`, the claim and the send are one commit.
create function app.claim(p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; c public.tool_contracts; at timestamptz; answers jsonb := '{}';
begin
  for item, ord in select t.value, t.ordinality from jsonb_array_elements(p_rows) with ordinality t
    order by t.value->>'tenant_id', t.value->>'operation_key', t.ordinality
  loop
    select * into c from public.tool_contracts where name = item->>'tool_name' and version = item->>'tool_version';
    if not found then
      raise exception 'contract % % is not registered', item->>'tool_name', item->>'tool_version' using errcode = 'P0002';
    end if;
    at := clock_timestamp();
    insert into public.tool_operations (
      tenant_id, operation_key, environment, tool_name, tool_version, effect_class, contract_digest, connector, deploy,
      request_fingerprint, fingerprint_version, request_redacted, intent_event, business_reference,
      status, pending_reason, attempt, sent_attempt, doubt_attempt, first_sent_at, sent_at, quiet_until,
      downstream_key, downstream_request_id, lease_owner, lease_token, lease_until, case_at, response_due_at,
      workflow_id, step_id, actor, trace_id, adopted, version, created_at, updated_at)
    values (
      item->>'tenant_id', item->>'operation_key', item->>'environment', c.name, c.version, c.effect_class, c.digest,
      item->>'connector', item->>'deploy', item->>'request_fingerprint', (item->>'fingerprint_version')::integer,
      item->'request_redacted', item->>'intent_event', item->>'business_reference',
      'pending', 'leased', 1,
      case when (item->>'send')::boolean then 1 end, case when (item->>'send')::boolean then 1 end,
      case when (item->>'send')::boolean then at end, case when (item->>'send')::boolean then at end,
      case when (item->>'send')::boolean then at + make_interval(secs => c.call_budget_ms / 1000.0) end,
      item->>'downstream_key', item->>'downstream_request_id', item->>'lease_owner', (item->>'lease_token')::uuid,
      at + make_interval(secs => c.lease_seconds), at + make_interval(secs => c.lease_seconds) + interval '60 seconds',
      at + make_interval(secs => c.response_seconds),
      item->>'workflow_id', item->>'step_id', item->>'actor', item->'trace'->>'trace_id', false, 1, at, at)
    on conflict (tenant_id, operation_key) do nothing
    returning * into o;
    if found then
      perform app.add_event(o, 'claim', null, item->'trace');
    else
      select * into strict o from public.tool_operations
       where tenant_id = item->>'tenant_id' and operation_key = item->>'operation_key' and environment = item->>'environment';
    end if;
    answers := answers || jsonb_build_object(ord::text, jsonb_build_object(
      'claimed', o.lease_token is not null and o.lease_token = (item->>'lease_token')::uuid, 'record', app.record(o)));
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;

create function app.read_operations(p_rows jsonb) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg((select app.record(o) from public.tool_operations o
    where o.tenant_id = t.value->>'tenant_id' and o.operation_key = t.value->>'operation_key'
      and o.environment = t.value->>'environment') order by t.ordinality), '[]')
  from jsonb_array_elements(p_rows) with ordinality t
$$;

-- Whether an authority has shown another effect of this operation than the one that it is applied with.
create function app.names_another_receipt(o public.tool_operations) returns boolean language sql stable
return (o).evidence = 'found' and exists (select from public.lookups l where l.tenant_id = (o).tenant_id
  and l.operation_key = (o).operation_key and l.answer = 'found' and l.authoritative and l.effect_reference <> (o).effect_reference);

-- Fires one event on each row if its fence holds and app.allowed says so. `refusal` is null, or why nothing changed:
-- fenced (another token), changed (another version or attempt than was read), not_allowed, missing.
create function app.transition(p_event text, p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; was public.tool_operations; c public.tool_contracts; f app.facts;
  l public.lookups; at timestamptz; refusal text; target text; answers jsonb := '{}';
begin
  if p_event is null or p_event not in ('acquire', 'send', 'accept', 'apply', 'refuse', 'release', 'doubt', 'expire',
    'settle_found', 'settle_refused', 'settle_absent', 'resend', 'give_up') then
    raise exception '% is no event of an executor', p_event using errcode = '22023';
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
      when p_event in ('send', 'accept', 'apply', 'refuse', 'release', 'doubt')
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
    o.version := o.version + 1; o.updated_at := at;
    if p_event not in ('acquire', 'send') then
      o.lease_token := null; o.lease_until := null; o.lease_owner := null;
    end if;

    if p_event = 'acquire' then
      o.attempt := o.attempt + 1; o.attempt_ended_at := null; o.reason := null; o.next_attempt_at := null;
      o.lease_token := (item->>'lease_token')::uuid; o.lease_owner := item->>'lease_owner';
      o.lease_until := at + make_interval(secs => c.lease_seconds);
      o.downstream_key := coalesce(o.downstream_key, item->>'downstream_key');
      o.deploy := coalesce(item->>'deploy', o.deploy);
    end if;
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
    if p_event in ('doubt', 'expire') and o.pending_reason is distinct from 'ready' then
      o.reason := coalesce(item->>'reason', 'lease_expired');
      o.doubt_attempt := coalesce(o.doubt_attempt, o.attempt);
      o.recover_until := coalesce(o.recover_until, at + make_interval(secs => c.recovery_seconds));
      o.next_attempt_at := at; -- the first lookup may be asked at once
    end if;
    if p_event = 'accept' then
      o.provider_job_id := item->>'provider_job_id'; o.next_attempt_at := at;
      o.recover_until := at + make_interval(secs => coalesce(c.job_seconds, 0) + c.recovery_seconds);
    end if;
    if p_event = 'apply' then
      o.effect_reference := item->>'effect_reference'; o.response_json := item->'response';
      o.resolved_by := 'executor'; o.reason := null;
    end if;
    if p_event = 'settle_found' then
      select * into strict l from public.lookups where tenant_id = o.tenant_id and evidence_id = o.evidence_id;
      o.effect_reference := l.effect_reference; o.response_json := coalesce(l.response_json, o.response_json);
      o.resolved_by := case when l.source = 'late_answer' then 'executor' else 'reconciler' end; o.reason := null;
    end if;
    if p_event in ('refuse', 'settle_refused') then
      o.reason := coalesce(item->>'reason', 'refused');
      o.resolved_by := case p_event when 'refuse' then 'executor' else 'reconciler' end;
    end if;
    if p_event = 'give_up' then
      o.reason := case when was.pending_reason = 'accepted' then 'job_lost' else coalesce(item->>'reason', 'recovery_exhausted') end;
    end if;
    if o.status <> 'pending' then o.next_attempt_at := null; end if;
    if o.status in ('applied', 'failed_permanent', 'approved_new_key') then
      o.expires_at := at + make_interval(secs => c.retention_seconds);
    end if;
    if o.status = 'applied' and app.names_another_receipt(o) then o.contradicted_at := coalesce(o.contradicted_at, at); end if;
    o.case_at := app.case_at(o, c, at);

    update public.tool_operations t set
      status = o.status, pending_reason = o.pending_reason, reason = o.reason, version = o.version, updated_at = o.updated_at,
      attempt = o.attempt, sent_attempt = o.sent_attempt, doubt_attempt = o.doubt_attempt, first_sent_at = o.first_sent_at,
      sent_at = o.sent_at, quiet_until = o.quiet_until, attempt_ended_at = o.attempt_ended_at,
      downstream_key = o.downstream_key, downstream_request_id = o.downstream_request_id, deploy = o.deploy,
      lease_owner = o.lease_owner, lease_token = o.lease_token, lease_until = o.lease_until,
      next_attempt_at = o.next_attempt_at, recover_until = o.recover_until, provider_job_id = o.provider_job_id,
      effect_reference = o.effect_reference, response_json = o.response_json, resolved_by = o.resolved_by,
      case_at = o.case_at, contradicted_at = o.contradicted_at, expires_at = o.expires_at
     where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
    perform app.add_event(o, p_event, was.status, item->'trace');
    answers := answers || jsonb_build_object(ord::text, jsonb_build_object('refusal', null, 'record', app.record(o)));
  end loop;
  return (select coalesce(jsonb_agg(answers->i::text order by i), '[]') from generate_series(1, jsonb_array_length(p_rows)) i);
end $$;

-- Extends live leases; answers, in input order, whether each is still held. Never past quiet_until, nor before the
-- send past one call budget after the acquisition; an expired lease is never revived.
create function app.heartbeat(p_rows jsonb) returns jsonb language plpgsql as $$
declare held jsonb;
begin
  with input as (
    select t.ordinality, t.value->>'tenant_id' as tenant_id, t.value->>'operation_key' as operation_key,
      t.value->>'environment' as environment, (t.value->>'lease_token')::uuid as lease_token
    from jsonb_array_elements(p_rows) with ordinality t
  ), extended as (
    update public.tool_operations o set (lease_until, case_at) = (
      select t.until, t.until + interval '60 seconds' from (select greatest(o.lease_until, least(
        clock_timestamp() + make_interval(secs => c.lease_seconds),
        case when o.sent_attempt = o.attempt then o.quiet_until
          -- not updated_at, which evidence moves
          else make_interval(secs => c.call_budget_ms / 1000.0) + coalesce((select e.at from public.tool_operation_events e
            where e.tenant_id = o.tenant_id and e.operation_key = o.operation_key and e.kind in ('claim', 'acquire')
            order by e.event_id desc limit 1), o.created_at) end)) as until) t)
    from input i, public.tool_contracts c
    where o.tenant_id = i.tenant_id and o.operation_key = i.operation_key and o.environment = i.environment
      and o.lease_token = i.lease_token and o.lease_until > clock_timestamp()
      and c.name = o.tool_name and c.version = o.tool_version
    returning i.ordinality
  )
  select coalesce(jsonb_agg(e.ordinality is not null order by i.ordinality), '[]') into held
  from input i left join extended e using (ordinality);
  return held;
end $$;

-- Deliveries and other happenings that change nothing.
create function app.add_events(p_rows jsonb) returns void language plpgsql as $$
declare item jsonb; o public.tool_operations;
begin
  for item in select value from jsonb_array_elements(p_rows)
  loop
    select * into o from public.tool_operations where tenant_id = item->>'tenant_id'
      and operation_key = item->>'operation_key' and environment = item->>'environment';
    if not found then -- a delivery that was refused before its claim has no row, but has a trace
      o.tenant_id := item->>'tenant_id'; o.environment := item->>'environment'; o.operation_key := item->>'operation_key';
    end if;
    perform app.add_event(o, item->>'kind', o.status, item->'trace', coalesce(item->'detail', '{}'));
  end loop;
end $$;

-- Stores what a system of record answered. Evidence by asked time; found is never replaced by another answer. What
-- contradicts a terminal status makes it a case. A fenced worker's late receipt settles what is in doubt at once.
create function app.record_evidence(p_rows jsonb) returns jsonb language plpgsql as $$
declare
  item jsonb; ord bigint; o public.tool_operations; l public.lookups; f app.facts; c public.tool_contracts;
  n public.tool_operations; at timestamptz; changes boolean; concludes boolean; contradicts boolean; unchanged boolean; answers jsonb := '{}'; attempts integer;
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
      asked_at, answer, authoritative, names_attempt, effect_reference, committed_at, response_json, summary, detail)
    values (o.tenant_id, o.environment, o.operation_key, (item->>'request_id')::uuid, item->>'source', item->>'asked_by',
      o.connector, item->>'looked_up_by', coalesce((item->>'asked_at')::timestamptz, at), item->>'answer',
      (item->>'authoritative')::boolean and item->>'source' <> 'person', (item->>'names_attempt')::integer,
      item->>'effect_reference', (item->>'committed_at')::timestamptz, item->'response', item->>'summary',
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
    n := o;
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
    select count(*) into attempts from public.lookups x where x.tenant_id = o.tenant_id and x.operation_key = o.operation_key;
    update public.tool_operations t set
      version = t.version + case when concludes or (contradicts and t.contradicted_at is null) then 1 else 0 end,
      evidence = n.evidence, evidence_id = n.evidence_id, evidence_asked_at = n.evidence_asked_at,
      contradicted_at = case when contradicts then coalesce(t.contradicted_at, at) else t.contradicted_at end,
      case_at = case when contradicts then coalesce(t.case_at, at) else t.case_at end,
      -- ask again after a growing pause, at once when absence can have become conclusive, and when time is over
      next_attempt_at = case when t.pending_reason not in ('recovering', 'accepted') then t.next_attempt_at
        else least(case when t.recover_until > at then t.recover_until end, case
          when l.answer = 'absent' and l.authoritative and l.asked_at <= t.quiet_until + make_interval(secs => c.settle_seconds)
          then t.quiet_until + make_interval(secs => c.settle_seconds)
          else at + make_interval(secs => least(60, c.backoff_seconds * power(2, least(attempts - 1, 6)))) end) end,
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

-- Work of the recover duty: leases that have run out. Any number of workers; an event fires once.
create function app.expired_leases(p_limit integer) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(jsonb_build_object('tenant_id', tenant_id, 'environment', environment, 'operation_key', operation_key)), '[]')
  from (select tenant_id, environment, operation_key from public.tool_operations
    where lease_until is not null and lease_until <= clock_timestamp() and pending_reason = 'leased' and not adopted
    order by lease_until limit p_limit) due
$$;

-- Work of the reconcile duty: what is due for a question, taken for `p_seconds` so that two workers do not ask the
-- same provider at once. A crash costs that pause and nothing else. What is ready in doubt is left to its delivery for
-- as long as it may be sent again: it comes along, untouched, once its effect is found or its time is over.
create function app.take_reconcilable(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb language plpgsql as $$
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
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version)
     order by o.next_attempt_at nulls first limit p_limit for update skip locked
  ), taken_rows as (
    update public.tool_operations o set next_attempt_at = clock_timestamp() + make_interval(secs => p_seconds)
      from due where o.tenant_id = due.tenant_id and o.operation_key = due.operation_key
    returning o.*
  ), over as (
    select o.* from public.tool_operations o
     where o.pending_reason = 'ready' and o.doubt_attempt is not null and not o.adopted
       and exists (select from jsonb_array_elements(p_tools) t
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version)
       and (app.allowed('settle_found', app.facts_of(o)) or app.allowed('give_up', app.facts_of(o)))
     order by o.next_attempt_at limit p_limit
  )
  select coalesce(jsonb_agg(app.record(r) || jsonb_build_object('asked_at', clock_timestamp(), 'request', coalesce(r.request_redacted, '{}'))), '[]') into taken
  from (select * from taken_rows union all select * from over) r;
  return taken;
end $$;

-- Questions of the console for the tools that this worker holds.
create function app.take_lookup_requests(p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb language plpgsql as $$
declare taken jsonb;
begin
  with due as (
    select r.tenant_id, r.request_id from public.lookup_requests r
      join public.tool_operations o on o.tenant_id = r.tenant_id and o.operation_key = r.operation_key
     where r.answered_at is null and coalesce(r.taken_until, '-infinity') <= clock_timestamp()
       and exists (select from jsonb_array_elements(p_tools) t
         where t.value->>'name' = o.tool_name and t.value->>'version' = o.tool_version)
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

-- The same version with another digest is refused: a version's effect-bearing rules never change. Prose is a revision.
create function app.register_contract(p_contract jsonb) returns text language plpgsql as $$
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
    response_seconds, retention_seconds, abandon_after_seconds, decision)
  select r.name, r.version, r.digest, r.body, r.effect_class, r.lookup, r.resend, r.delicate, r.key_window_seconds,
    r.call_budget_ms, r.settle_seconds, r.recovery_seconds, r.job_seconds, r.max_attempts, r.backoff_seconds, r.lease_seconds,
    r.response_seconds, r.retention_seconds, r.abandon_after_seconds, r.decision
  from jsonb_populate_record(null::public.tool_contracts, p_contract) r
  on conflict (name, version) do update set body = excluded.body, revision = t.revision + 1,
    response_seconds = excluded.response_seconds
    where t.digest = excluded.digest and t.body is distinct from excluded.body;
  select * into strict stored from public.tool_contracts where name = p_contract->>'name' and version = p_contract->>'version';
  return stored.digest;
end $$;
