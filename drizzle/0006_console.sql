-- The console reads under row-level security and writes through these functions alone. Each re-reads the caller's
-- grants, and writes its audit entry in the same statement.

-- The caller's (tenant, environment) pairs; no scope is an error, never an empty list.
create function app.scopes() returns text[] language plpgsql stable parallel safe set search_path = pg_catalog as $$
declare s text := current_setting('app.scopes', true);
begin
  if s is null or s = '' then raise exception 'no scope set' using errcode = '42501'; end if;
  return string_to_array(s, E'\x1e');
end $$;

create function app.roles_of(p_user uuid, p_tenant text, p_environment text) returns text[] language sql stable
security definer set search_path = pg_catalog, public, app, pg_temp
begin atomic
  select coalesce(array_agg(g.role), '{}') from public.grants g join public.users u on u.user_id = g.user_id
   where g.user_id = p_user and g.tenant_id = p_tenant and g.environment = p_environment and u.disabled_at is null;
end;

-- Appends to the chain of (tenant, environment); the head row is locked last, so callers do their own work first.
create function app.append_audit(p_tenant text, p_environment text, p_actor text, p_action text, p_key text, p_detail jsonb)
returns bigint language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare h public.audit_heads; entry bytea; entry_hash bytea; entry_at timestamptz;
begin
  insert into public.audit_heads values (p_tenant, p_environment, 0, '\x'::bytea) on conflict do nothing;
  select * into strict h from public.audit_heads where tenant_id = p_tenant and environment = p_environment for update;
  entry_at := clock_timestamp();
  entry := convert_to(jsonb_build_object('sequence', h.sequence + 1, 'at', to_char(entry_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'tenant_id', p_tenant, 'environment', p_environment, 'actor', p_actor, 'action', p_action, 'operation_key', p_key,
    'detail', p_detail)::text, 'UTF8');
  entry_hash := sha256(h.hash || entry);
  insert into public.audit_entries (tenant_id, environment, sequence, at, actor, action, operation_key, body, previous_hash, hash)
  values (p_tenant, p_environment, h.sequence + 1, entry_at, p_actor, p_action, p_key, entry, h.hash, entry_hash);
  update public.audit_heads set sequence = h.sequence + 1, hash = entry_hash where tenant_id = p_tenant and environment = p_environment;
  return h.sequence + 1;
end $$;

-- A person's verdict: version check, status change, successor and audit entry, wholly or not at all. The same decision
-- id with the same content returns its first result.
create function app.decide(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid,
  p_verdict text, p_reason text, p_reference text, p_evidence uuid[])
returns jsonb language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
#variable_conflict use_column
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  d public.decisions; o public.tool_operations; s public.tool_operations; c public.tool_contracts; f app.facts;
  at timestamptz; content bytea; refusal text; was text; successor text; entry bigint; last public.tool_operation_events;
  reference text := nullif(btrim(p_reference), '');
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_verdict not in ('applied', 'failed_permanent', 'approved_new_key') or p_verdict is null
    or length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'a verdict and a reason of 1 to 4000 characters are required' using errcode = '22023';
  end if;
  content := sha256(convert_to(jsonb_build_array(p_user, p_environment, p_key, p_version, p_verdict, p_reason, reference, p_evidence)::text, 'UTF8'));
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- read after both locks, so that a concurrent use of this id, here or for another operation, is seen
  perform pg_advisory_xact_lock(hashtextextended(p_tenant || E'\x1f' || p_decision, 1));
  select * into d from public.decisions where tenant_id = p_tenant and decision_id = p_decision;
  if found then
    if d.content_digest <> content then return jsonb_build_object('outcome', 'decision_id_reused'); end if;
    return jsonb_build_object('outcome', 'repeated', 'status', d.verdict, 'version', d.recorded_version,
      'successor_key', d.successor_key, 'audit_sequence', d.audit_sequence);
  end if;
  at := clock_timestamp(); c := app.contract_of(o); f := app.facts_at(o, c, at); was := o.status;
  refusal := case when not 'operator' = any (roles) then 'not_granted' end;
  if refusal is null and o.version <> p_version then
    select * into last from public.tool_operation_events e where e.tenant_id = p_tenant and e.operation_key = p_key
      and e.version is not null and e.kind not in ('replayed', 'in_flight', 'rejected', 'unknown', 'expired_arrival')
     order by e.event_id desc limit 1;
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'decision_conflict', p_key, jsonb_build_object(
      'verdict', p_verdict, 'expected_version', p_version, 'version', o.version, 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'conflict', 'version', o.version, 'status', o.status, 'change', last.kind,
      'changed_at', coalesce(last.at, o.updated_at), 'changed_by', coalesce(
        (select u.name from public.users u where last.actor = 'user:' || u.user_id), last.actor, last.worker, o.resolved_by));
  end if;
  if refusal is null and exists (select from unnest(p_evidence) e(id) where not exists (select from public.lookups l
    where l.tenant_id = p_tenant and l.operation_key = p_key and l.evidence_id = e.id)) then
    return jsonb_build_object('outcome', 'not_its_evidence');
  end if;
  if p_verdict = 'applied' then -- one after the other, so that the second sees what the first took
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(E'\x1f', p_tenant, p_environment, o.tool_name, reference), 2));
  end if;
  refusal := coalesce(refusal, app.verdict_refusal(p_verdict, f, reference,
    p_verdict = 'applied' and exists (select from public.tool_operations x where x.tenant_id = p_tenant and x.environment = p_environment
      and left(x.effect_reference, 200) = left(reference, 200) and x.effect_reference = reference
      and x.tool_name = o.tool_name and x.operation_key <> p_key), false));
  if refusal is not null then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'decision_refused', p_key, jsonb_build_object(
      'verdict', p_verdict, 'refusal', refusal, 'version', o.version, 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'refused', 'refusal', refusal, 'version', o.version, 'status', o.status, 'audit_sequence', entry);
  end if;

  if p_verdict = 'approved_new_key' then
    successor := app.successor_key(p_key);
    while exists (select from public.tool_operations x where x.tenant_id = p_tenant and x.operation_key = successor) loop
      successor := app.successor_key(successor); -- an adopted row has that key
    end loop;
    s := o; -- what identifies the request goes over, what happened does not
    s.operation_key := successor; s.supersedes_key := p_key; s.successor_key := null; s.status := 'pending';
    s.pending_reason := 'ready'; s.reason := null; s.attempt := 0; s.sent_attempt := null; s.doubt_attempt := null;
    s.first_sent_at := null; s.sent_at := null; s.quiet_until := null; s.attempt_ended_at := null; s.downstream_key := null;
    s.downstream_request_id := null; s.lease_owner := null; s.lease_token := null; s.lease_until := null;
    s.next_attempt_at := at; s.recover_until := null; s.provider_job_id := null; s.effect_reference := null;
    s.response_json := null; s.response_sealed := null; s.delivery_state := null; s.evidence := null; s.evidence_id := null;
    s.evidence_asked_at := null; s.contradicted_at := null; s.resolved_by := null; s.version := 1; s.created_at := at;
    s.updated_at := at; s.expires_at := null; s.tombstoned_at := null;
    s.case_at := app.case_at(s, c, at); s.response_due_at := at + make_interval(secs => coalesce(c.response_seconds, 86400));
  end if;

  o.status := p_verdict; o.pending_reason := null; o.version := o.version + 1; o.updated_at := at;
  o.reason := case p_verdict when 'failed_permanent' then 'decided' end;
  o.lease_token := null; o.lease_until := null; o.lease_owner := null; o.next_attempt_at := null; o.case_at := null;
  o.resolved_by := 'decision:' || p_decision; o.expires_at := at + make_interval(secs => coalesce(c.retention_seconds, 31536000));
  o.successor_key := successor;
  if p_verdict = 'applied' then o.effect_reference := reference; o.doubt_attempt := null; o.recover_until := null; end if;
  if p_verdict = 'applied' and o.response_json is null then
    select l.response_json into o.response_json from public.lookups l
     where l.tenant_id = o.tenant_id and l.evidence_id = o.evidence_id and l.effect_reference = reference;
  end if;
  if p_verdict = 'applied' and app.names_another_receipt(o) then
    o.contradicted_at := coalesce(o.contradicted_at, at); o.case_at := at;
  end if;
  update public.tool_operations t set status = o.status, pending_reason = null, reason = o.reason, version = o.version,
    updated_at = o.updated_at, lease_token = null, lease_until = null, lease_owner = null, next_attempt_at = null, case_at = o.case_at,
    contradicted_at = o.contradicted_at, resolved_by = o.resolved_by, expires_at = o.expires_at, successor_key = o.successor_key, effect_reference = o.effect_reference,
    response_json = o.response_json, doubt_attempt = o.doubt_attempt, recover_until = o.recover_until
   where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
  perform app.add_event(o, case p_verdict when 'applied' then 'decide_applied' when 'failed_permanent' then 'decide_failed'
    else 'decide_new_key' end, was, jsonb_build_object('actor', 'user:' || p_user),
    jsonb_build_object('decision_id', p_decision, 'evidence_ids', p_evidence));
  if successor is not null then
    insert into public.tool_operations select s.*;
    perform app.add_event(s, 'succeeds', null, jsonb_build_object('actor', 'user:' || p_user), jsonb_build_object('supersedes_key', p_key));
  end if;
  insert into public.decisions (tenant_id, decision_id, environment, operation_key, state, verdict, reason, effect_reference,
    evidence_ids, expected_version, recorded_version, successor_key, decided_by, content_digest, decided_at)
  values (p_tenant, p_decision, p_environment, p_key, 'recorded', p_verdict, p_reason, reference, coalesce(p_evidence, '{}'),
    p_version, o.version, successor, p_user, content, at);
  entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'decision', p_key, jsonb_build_object(
    'decision_id', p_decision, 'verdict', p_verdict, 'reason', p_reason, 'effect_reference', reference,
    'evidence_ids', coalesce(to_jsonb(p_evidence), '[]'), 'expected_version', p_version, 'version', o.version,
    'from_status', was, 'successor_key', successor, 'person', (select u.name from public.users u where u.user_id = p_user)));
  update public.decisions set audit_sequence = entry where tenant_id = p_tenant and decision_id = p_decision;
  return jsonb_build_object('outcome', 'decided', 'status', o.status, 'version', o.version, 'successor_key', successor, 'audit_sequence', entry);
end $$;

-- key + !n, where n counts the successors of the same first key
create function app.successor_key(p_key text) returns text language sql immutable
return regexp_replace(p_key, '![0-9]+$', '') || '!' || (coalesce(substring(p_key from '!([0-9]+)$')::integer, 0) + 1);

-- Asks the application's reconciler to look an operation up. A question is stored and audited; it settles nothing.
create function app.ask_lookup(p_user uuid, p_tenant text, p_environment text, p_key text, p_request uuid)
returns jsonb language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  o public.tool_operations; r public.lookup_requests; c public.tool_contracts; entry bigint; refusal text;
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  c := app.contract_of(o);
  refusal := case when not 'operator' = any (roles) then 'not_granted' when coalesce(c.lookup, 'none') = 'none' then 'no_lookup' end;
  if refusal is not null then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'lookup_refused', p_key, jsonb_build_object('refusal', refusal));
    return jsonb_build_object('outcome', 'refused', 'refusal', refusal);
  end if;
  select * into r from public.lookup_requests x where x.tenant_id = p_tenant and x.operation_key = p_key
    and (x.request_id = p_request or x.answered_at is null or x.asked_at > clock_timestamp() - interval '2 seconds')
   order by x.asked_at desc limit 1;
  if found then return jsonb_build_object('outcome', 'already_asked', 'request_id', r.request_id); end if;
  insert into public.lookup_requests (tenant_id, request_id, environment, operation_key, asked_by)
  values (p_tenant, p_request, p_environment, p_key, 'user:' || p_user);
  entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'lookup', p_key, jsonb_build_object('request_id', p_request));
  return jsonb_build_object('outcome', 'asked', 'request_id', p_request, 'audit_sequence', entry);
end $$;

-- A denied attempt at the console. Of a pair that the caller has no grant for, the entry goes to _system/_system, so
-- that nobody writes into a chain that is not theirs.
create function app.deny(p_user uuid, p_tenant text, p_environment text, p_action text, p_detail jsonb) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select case when cardinality(app.roles_of(p_user, p_tenant, p_environment)) > 0
    then app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'denied', null, jsonb_build_object('action', p_action) || p_detail)
    else app.append_audit('_system', '_system', 'user:' || p_user, 'denied', null,
      jsonb_build_object('action', p_action, 'tenant_id', p_tenant, 'environment', p_environment) || p_detail) end
$$;

-- Sign-in. Nobody is matched by e-mail; an identity is its issuer and subject.
create function app.sign_in(p_issuer text, p_subject text, p_name text, p_email text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare u public.users;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_issuer || E'\x1f' || p_subject, 0));
  select x.* into u from public.identities i join public.users x on x.user_id = i.user_id where i.issuer = p_issuer and i.subject = p_subject;
  if not found then
    insert into public.users (name, email) values (p_name, p_email) returning * into u;
    insert into public.identities (issuer, subject, user_id) values (p_issuer, p_subject, u.user_id);
  else
    update public.users set name = p_name, email = p_email where user_id = u.user_id returning * into u;
  end if;
  insert into public.grants (tenant_id, environment, user_id, role, granted_by)
  select g.tenant_id, g.environment, u.user_id, g.role, 'system:sign-in' from public.identity_grants g
   where g.issuer = p_issuer and g.subject = p_subject on conflict do nothing;
  perform app.append_audit('_system', '_system', 'user:' || u.user_id,
    case when u.disabled_at is null then 'sign_in' else 'sign_in_refused' end, null,
    jsonb_build_object('issuer', p_issuer, 'subject', p_subject, 'person', u.name));
  if u.disabled_at is not null then return null; end if;
  return jsonb_build_object('user_id', u.user_id, 'name', u.name, 'email', u.email);
end $$;

create function app.find_user(p_user uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select jsonb_build_object('user_id', u.user_id, 'name', u.name, 'email', u.email) from public.users u
   where u.user_id = p_user and u.disabled_at is null
$$;

create function app.find_identity(p_issuer text, p_subject text) returns jsonb language sql stable security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select jsonb_build_object('user_id', u.user_id, 'name', u.name, 'email', u.email) from public.identities i
    join public.users u on u.user_id = i.user_id where i.issuer = p_issuer and i.subject = p_subject and u.disabled_at is null
$$;

create function app.open_session(p_hash bytea, p_user uuid, p_seconds integer) returns timestamptz language sql volatile security definer set search_path = pg_catalog, public, app, pg_temp as $$
  insert into public.sessions (token_hash, user_id, expires_at)
  values (p_hash, p_user, clock_timestamp() + make_interval(secs => least(p_seconds, 43200))) returning expires_at
$$;

create function app.find_session(p_hash bytea) returns jsonb language sql stable security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select jsonb_build_object('user', jsonb_build_object('user_id', u.user_id, 'name', u.name, 'email', u.email),
    'expires_at', s.expires_at, 'grants', coalesce((select jsonb_agg(jsonb_build_object('tenant_id', g.tenant_id,
      'environment', g.environment, 'role', g.role) order by g.tenant_id, g.environment, g.role)
      from public.grants g where g.user_id = u.user_id), '[]'))
  from public.sessions s join public.users u on u.user_id = s.user_id
  where s.token_hash = p_hash and s.expires_at > clock_timestamp() and u.disabled_at is null
$$;

create function app.close_session(p_hash bytea) returns void language sql volatile security definer set search_path = pg_catalog, public, app, pg_temp as $$
  delete from public.sessions where token_hash = p_hash
$$;

-- Gives an identity a role for one (tenant, environment), now and at its next sign-in. Called by the owner.
create function app.grant_identity(p_tenant text, p_environment text, p_issuer text, p_subject text, p_role text) returns void
language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
begin
  insert into public.identity_grants values (p_tenant, p_environment, p_issuer, p_subject, p_role) on conflict do nothing;
  if not found then return; end if;
  insert into public.grants (tenant_id, environment, user_id, role, granted_by)
  select p_tenant, p_environment, i.user_id, p_role, 'system:owner' from public.identities i
   where i.issuer = p_issuer and i.subject = p_subject on conflict do nothing;
  perform app.append_audit('_system', '_system', 'system:owner', 'grant', null, jsonb_build_object('tenant_id', p_tenant,
    'environment', p_environment, 'issuer', p_issuer, 'subject', p_subject, 'role', p_role));
end $$;
