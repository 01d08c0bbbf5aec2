-- The second person: proposals, their approval, and the amendment of a verdict that evidence contradicts.

alter table public.decisions
  add column approved_by uuid references public.users,
  add column approved_at timestamptz,
  add column approval_reason text check (length(btrim(approval_reason)) between 1 and 4000),
  add column voided_by uuid references public.users,
  add column voided_at timestamptz,
  add column voided_because text
    check (voided_because in ('version_changed', 'proposer_not_granted', 'replaced', 'decided', 'withdrawn', 'declined')),
  add column void_reason text check (length(btrim(void_reason)) between 1 and 4000),
  add constraint decisions_two_persons check (approved_by <> decided_by),
  add constraint decisions_approved check ((state = 'approved') = (approved_by is not null)
    and (approved_by is null) = (approved_at is null) and (approved_by is null) = (approval_reason is null)),
  add constraint decisions_voided check ((state = 'voided') = (voided_at is not null)
    and (voided_at is null) = (voided_because is null)),
  add constraint decisions_in_force check ((state in ('recorded', 'approved')) = (recorded_version is not null));
create unique index decisions_one_proposal on public.decisions (tenant_id, operation_key) where state = 'proposed';

/* lib/domain/transitions.ts isAllowed: a successor whose predecessor changed gets no successor of its own */
create or replace function app.allowed(event text, f app.facts) returns boolean language sql immutable parallel safe
return case
  when (f).epoch = 'older' and (f).status <> 'none'
    and event not in ('settle_found', 'apply', 'doubt', 'expire', 'decide_applied', 'fail_over') then false
  when (f).adopted and event in ('approve', 'deny', 'acquire', 'send', 'accept', 'apply', 'refuse', 'release', 'doubt',
    'expire', 'request_approval', 'settle_absent', 'resend', 'abandon') then false
  else case event
    when 'claim' then (f).status = 'none'
    when 'enqueue' then (f).status = 'none'
    when 'request_approval' then (f).approval = 'missing' and app.is_doubtless(f)
      and ((f).status = 'none' or (f).pending_reason = 'ready' or ((f).pending_reason = 'leased' and not (f).sent))
    when 'approve' then (f).pending_reason = 'awaiting_approval'
    when 'deny' then (f).pending_reason = 'awaiting_approval' and app.is_doubtless(f) and not app.is_found(f)
    when 'acquire' then (((f).pending_reason = 'ready' and (f).due) or (f).pending_reason = 'queued')
      and (f).version_held and app.may_attempt(f)
    when 'send' then (f).pending_reason = 'leased' and (f).lease = 'live' and not (f).sent
      and (f).predecessor <> 'changed' and not app.is_found(f) and (app.is_doubtless(f) or app.resend_open(f))
    when 'accept' then (f).pending_reason = 'leased' and (f).sent
    when 'apply' then (f).pending_reason = 'leased' and (f).sent
    when 'refuse' then (f).pending_reason = 'leased' and (f).doubt <> 'earlier' and not app.is_found(f)
    when 'release' then (f).pending_reason = 'leased' and (f).doubt <> 'earlier' and not app.is_found(f)
    when 'doubt' then (f).pending_reason = 'leased'
      and ((f).doubt <> 'none' or app.is_found(f) or (f).epoch = 'older')
    when 'expire' then (f).pending_reason = 'leased' and (f).lease = 'expired'
    when 'settle_found' then app.is_open(f) and (f).evidence = 'found'
    when 'settle_refused' then (app.is_recovering(f) or app.is_unknown(f) or (f).pending_reason = 'accepted')
      and (f).evidence = 'refused_conclusive'
    when 'settle_absent' then (app.is_recovering(f) or app.is_unknown(f)) and app.settles_absent(f)
    when 'resend' then (app.is_recovering(f) or app.is_unknown(f)) and (f).attempts_left and not (f).recover_passed
      and not app.is_found(f) and ((f).lookup = 'none' or (f).asked) and app.resend_open(f)
    when 'give_up' then (app.is_recovering(f) or (f).pending_reason = 'accepted'
      or ((f).pending_reason = 'ready' and (f).doubt <> 'none')) and ((f).recover_passed or app.is_exhausted(f))
    when 'decide_applied' then app.is_open(f)
    when 'decide_failed' then app.is_open(f) and not app.is_found(f)
    when 'decide_new_key' then app.is_open(f) and not app.is_found(f) and (f).predecessor <> 'changed'
    when 'amend' then app.is_terminal(f) and (f).contradicted
    when 'fail_over' then ((f).status = 'pending' or app.is_unknown(f)) and (f).epoch = 'older'
    when 'abandon' then (f).pending_reason in ('ready', 'queued', 'awaiting_approval') and app.is_doubtless(f)
      and not app.is_found(f) and (f).abandon_passed
    when 'compact' then app.is_terminal(f) and not (f).contradicted and (f).retention = 'past'
    else false end end;

/* lib/domain/verdict.ts isRevocable */
create function app.is_revocable(f app.facts) returns boolean language sql immutable parallel safe
return (f).status = 'pending' and app.is_doubtless(f) and not app.is_found(f);

/* lib/domain/verdict.ts needsSecondPerson */
create or replace function app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) returns boolean
language sql immutable parallel safe
return case
  when app.is_terminal(f) then true
  when verdict = 'applied' then app.is_conclusively_absent(f) or receipt_taken
  when verdict = 'approved_new_key' and (f).job_open then true
  else not app.is_conclusively_absent(f) and not app.is_doubtless(f) end;

/* lib/domain/verdict.ts judgeVerdict for an operator: null where allowed, else the refusal */
create or replace function app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean)
returns text language sql immutable parallel safe
return case
  when (f).status = 'none' then 'not_an_operation'
  when (f).lease = 'live' then 'being_attempted'
  when app.is_terminal(f) and (not (f).contradicted or verdict = 'approved_new_key') then 'already_resolved'
  when verdict <> 'applied' and app.is_found(f) then 'effect_found'
  when verdict = 'approved_new_key' and (f).predecessor = 'changed' then 'predecessor_changed'
  when not app.allowed(case when app.is_terminal(f) then 'amend' when verdict = 'applied' then 'decide_applied'
      when verdict = 'failed_permanent' then 'decide_failed' else 'decide_new_key' end, f) then 'older_epoch'
  when verdict = 'applied' and coalesce(btrim(receipt), '') = '' then 'receipt_required'
  when app.needs_second_person(verdict, f, receipt_taken) and not second_person then 'second_person_required' end;

-- What a decision id is bound to: who says what about which version.
create function app.content_digest(act text, p_user uuid, environment text, key text, version bigint, verdict text, reason text,
  reference text, evidence uuid[]) returns bytea language sql stable
return sha256(convert_to((case act when 'propose' then '["proposal"]' else '[]' end::jsonb || jsonb_build_array(
  p_user, environment, key, version, verdict, reason, reference, evidence))::text, 'UTF8'));

-- Why this verdict is not possible now; null where it is. Verdicts that name one receipt are judged one after the other,
-- so that the second sees what the first took.
create function app.judge(o public.tool_operations, p_verdict text, p_reference text, p_second_person boolean) returns text
language plpgsql as $$
begin
  if p_verdict = 'applied' then
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(E'\x1f', o.tenant_id, o.environment, o.tool_name, p_reference), 2));
  end if;
  return app.verdict_refusal(p_verdict, app.facts_of(o), p_reference,
    p_verdict = 'applied' and exists (select from public.tool_operations x where x.tenant_id = o.tenant_id
      and x.environment = o.environment and left(x.effect_reference, 200) = left(p_reference, 200)
      and x.effect_reference = p_reference and x.tool_name = o.tool_name and x.operation_key <> o.operation_key), p_second_person);
end $$;

-- Who changed what, for the person whose version is over.
create function app.change_of(o public.tool_operations) returns jsonb language plpgsql stable as $$
declare e public.tool_operation_events;
begin
  select * into e from public.tool_operation_events x where x.tenant_id = o.tenant_id and x.operation_key = o.operation_key
    and x.version is not null and x.kind not in ('replayed', 'in_flight', 'rejected', 'unknown', 'expired_arrival')
   order by x.event_id desc limit 1;
  return jsonb_build_object('version', o.version, 'status', o.status, 'change', e.kind, 'changed_at', coalesce(e.at, o.updated_at),
    'changed_by', coalesce((select u.name from public.users u where e.actor = 'user:' || u.user_id), e.actor, e.worker, o.resolved_by));
end $$;

-- The one new key: what identifies the request goes over, what happened to it does not. It asks for its own approval.
create function app.create_successor(o public.tool_operations, p_decision uuid, p_actor text, at timestamptz) returns text
language plpgsql as $$
declare s public.tool_operations; c public.tool_contracts := app.contract_of(o); successor text := app.successor_key(o.operation_key);
begin
  while exists (select from public.tool_operations x where x.tenant_id = o.tenant_id and x.operation_key = successor) loop
    successor := app.successor_key(successor); -- an adopted row has that key
  end loop;
  insert into public.tool_operations (tenant_id, operation_key, environment, tool_name, tool_version, effect_class, contract_digest,
    connector, deploy, request_fingerprint, fingerprint_version, request_redacted, request_sealed, intent_event,
    business_reference, workflow_id, step_id, actor, trace_id, approval_required, adopted, supersedes_key,
    status, pending_reason, attempt, sent_attempt, doubt_attempt, next_attempt_at, case_at, response_due_at, created_at, updated_at)
  values (o.tenant_id, successor, o.environment, o.tool_name, o.tool_version, o.effect_class, o.contract_digest,
    o.connector, o.deploy, o.request_fingerprint, o.fingerprint_version, o.request_redacted, o.request_sealed, o.intent_event,
    o.business_reference, o.workflow_id, o.step_id, o.actor, o.trace_id, o.approval_required, o.adopted, o.operation_key,
    'pending', 'ready', 0, null, null, at, at, at + make_interval(secs => coalesce(c.response_seconds, 86400)), at, at)
  returning * into s;
  update public.tool_operations t set case_at = coalesce(app.case_at(s, c, at), at)
   where t.tenant_id = s.tenant_id and t.operation_key = s.operation_key;
  perform app.add_event(s, 'succeeds', null, jsonb_build_object('actor', p_actor), jsonb_build_object('supersedes_key', o.operation_key));
  return successor;
end $$;

-- An amended operation's successors: one that has not run is revoked; one that has, or may have, beside an effect of `o`
-- is a second effect, and a case. A successor that was superseded itself hands the question on.
create function app.end_successors(o public.tool_operations, p_decision uuid, p_actor text, at timestamptz) returns jsonb
language plpgsql as $$
declare
  s public.tool_operations; c public.tool_contracts; was text; next_key text := o.successor_key;
  revoked jsonb := '[]'; second jsonb := '[]';
begin
  while next_key is not null loop
    select * into s from public.tool_operations where tenant_id = o.tenant_id and operation_key = next_key for update;
    exit when not found;
    was := s.status; c := app.contract_of(s);
    if app.is_revocable(app.facts_at(s, c, at)) then
      update public.tool_operations t set status = 'failed_permanent', reason = 'revoked', pending_reason = null, lease_token = null,
        lease_until = null, lease_owner = null, next_attempt_at = null, recover_until = null, contradicted_at = null, case_at = null,
        resolved_by = 'decision:' || p_decision, expires_at = at + make_interval(secs => coalesce(c.retention_seconds, 31536000)),
        version = t.version + 1, updated_at = at
       where t.tenant_id = s.tenant_id and t.operation_key = s.operation_key returning * into s;
      perform app.add_event(s, 'amend', was, jsonb_build_object('actor', p_actor),
        jsonb_build_object('decision_id', p_decision, 'amends', o.operation_key));
      revoked := revoked || to_jsonb(next_key);
    elsif o.status = 'applied' and s.status not in ('failed_permanent', 'approved_new_key') then
      update public.tool_operations t set contradicted_at = coalesce(t.contradicted_at, at), case_at = coalesce(least(t.case_at, at), at),
        version = t.version + 1, updated_at = at
       where t.tenant_id = s.tenant_id and t.operation_key = s.operation_key returning * into s;
      perform app.add_event(s, 'amend', was, jsonb_build_object('actor', p_actor),
        jsonb_build_object('decision_id', p_decision, 'second_effect_of', o.operation_key));
      second := second || to_jsonb(next_key);
    end if;
    next_key := s.successor_key;
  end loop;
  return jsonb_build_object('revoked', revoked, 'second_effects', second);
end $$;

-- Voids the operation's open proposal, if there is one; answers its id.
create function app.void_open_proposal(o public.tool_operations, p_except uuid, p_because text, p_by uuid, p_reason text, at timestamptz)
returns uuid language sql as $$
  update public.decisions d set state = 'voided', voided_at = at, voided_because = p_because, voided_by = p_by, void_reason = p_reason
   where d.tenant_id = o.tenant_id and d.operation_key = o.operation_key and d.state = 'proposed'
     and d.decision_id is distinct from p_except
  returning d.decision_id
$$;

-- Carries a judged verdict out: status, successors, trace and audit entry. Answers the decision as it is to be stored.
create function app.carry_out(o public.tool_operations, d public.decisions, p_approver uuid, p_approval_reason text, at timestamptz)
returns public.decisions language plpgsql as $$
#variable_conflict use_column
declare
  was public.tool_operations := o; c public.tool_contracts := app.contract_of(o);
  amends boolean := o.status in ('applied', 'failed_permanent', 'approved_new_key');
  actor text := 'user:' || coalesce(p_approver, d.decided_by); contradicted boolean; ended jsonb := '{}'; voided uuid;
begin
  if d.verdict = 'approved_new_key' then d.successor_key := app.create_successor(o, d.decision_id, actor, at); end if;
  o.status := d.verdict; o.pending_reason := null; o.version := o.version + 1; o.updated_at := at;
  o.reason := case d.verdict when 'failed_permanent' then 'decided' end;
  o.lease_token := null; o.lease_until := null; o.lease_owner := null; o.next_attempt_at := null;
  o.resolved_by := 'decision:' || d.decision_id; o.expires_at := at + make_interval(secs => coalesce(c.retention_seconds, 31536000));
  o.successor_key := coalesce(d.successor_key, o.successor_key);
  if amends and o.effect_reference is distinct from d.effect_reference then -- the result belonged to what was said before
    o.effect_reference := null; o.response_json := null; o.response_sealed := null;
  end if;
  if d.verdict = 'applied' then
    o.effect_reference := d.effect_reference; o.doubt_attempt := null; o.recover_until := null;
    if o.response_json is null and o.response_sealed is null then
      select l.response_json, l.response_sealed into o.response_json, o.response_sealed from public.lookups l
       where l.tenant_id = o.tenant_id and l.evidence_id = o.evidence_id and l.effect_reference = d.effect_reference;
      if found then o.tombstoned_at := null; end if;
    end if;
  end if;
  -- an amendment ends the contradiction, unless every finding names another receipt than it does
  contradicted := d.verdict = 'applied' and case when amends then app.names_another_receipt(o)
      and not exists (select from public.lookups l where l.tenant_id = o.tenant_id and l.operation_key = o.operation_key
        and l.answer = 'found' and l.effect_reference = o.effect_reference)
    else o.contradicted_at is not null or app.names_another_receipt(o) end;
  o.contradicted_at := case when contradicted then coalesce(o.contradicted_at, at) end;
  o.case_at := app.case_at(o, c, at);
  update public.tool_operations t set status = o.status, pending_reason = null, reason = o.reason, version = o.version,
    updated_at = o.updated_at, lease_token = null, lease_until = null, lease_owner = null, next_attempt_at = null, case_at = o.case_at,
    contradicted_at = o.contradicted_at, resolved_by = o.resolved_by, expires_at = o.expires_at, successor_key = o.successor_key,
    effect_reference = o.effect_reference, response_json = o.response_json, response_sealed = o.response_sealed,
    doubt_attempt = o.doubt_attempt, recover_until = o.recover_until, tombstoned_at = o.tombstoned_at
   where t.tenant_id = o.tenant_id and t.operation_key = o.operation_key;
  perform app.add_event(o, case when amends then 'amend' when d.verdict = 'applied' then 'decide_applied'
    when d.verdict = 'failed_permanent' then 'decide_failed' else 'decide_new_key' end, was.status, jsonb_build_object('actor', actor),
    jsonb_build_object('decision_id', d.decision_id, 'evidence_ids', d.evidence_ids));
  if amends then
    ended := app.end_successors(o, d.decision_id, actor, at) || jsonb_build_object('amends', jsonb_build_object(
      'status', was.status, 'reason', was.reason, 'effect_reference', was.effect_reference, 'resolved_by', was.resolved_by));
  end if;
  voided := app.void_open_proposal(o, d.decision_id, 'decided', coalesce(p_approver, d.decided_by), null, at);
  d.recorded_version := o.version;
  d.audit_sequence := app.append_audit(o.tenant_id, o.environment, actor, 'decision', o.operation_key, jsonb_build_object(
    'decision_id', d.decision_id, 'verdict', d.verdict, 'reason', d.reason, 'effect_reference', d.effect_reference,
    'evidence_ids', to_jsonb(d.evidence_ids), 'expected_version', d.expected_version, 'version', o.version,
    'from_status', was.status, 'successor_key', d.successor_key, 'person', (select u.name from public.users u where u.user_id = d.decided_by))
    || case when voided is null then '{}' else jsonb_build_object('voids', voided) end
    || case when p_approver is null then '{}' else jsonb_build_object('proposed_by', 'user:' || d.decided_by, 'approved_by', actor,
      'approver', (select u.name from public.users u where u.user_id = p_approver), 'approval_reason', p_approval_reason) end
    || ended);
  return d;
end $$;

-- What a person says about a case, decided or proposed: the same checks in the same order.
create function app.give_verdict(p_act text, p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint,
  p_decision uuid, p_verdict text, p_reason text, p_reference text, p_evidence uuid[])
returns jsonb language plpgsql as $$
#variable_conflict use_column
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  d public.decisions; o public.tool_operations; content bytea; refusal text; entry bigint; voided uuid; at timestamptz;
  reference text := nullif(btrim(p_reference), ''); evidence uuid[] := coalesce(p_evidence, '{}');
  word text := case p_act when 'decide' then 'decision' else 'proposal' end;
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_verdict is null or p_verdict not in ('applied', 'failed_permanent', 'approved_new_key') or p_version is null
    or p_decision is null or length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'a verdict, the version that was seen, a decision id and a reason of 1 to 4000 characters are required' using errcode = '22023';
  end if;
  content := app.content_digest(p_act, p_user, p_environment, p_key, p_version, p_verdict, p_reason, reference, evidence);
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- read after both locks, so that a concurrent use of this id, here or for another operation, is seen
  perform pg_advisory_xact_lock(hashtextextended(p_tenant || E'\x1f' || p_decision, 1));
  select * into d from public.decisions where tenant_id = p_tenant and decision_id = p_decision;
  if found then
    if d.content_digest <> content then return jsonb_build_object('outcome', 'decision_id_reused'); end if;
    return jsonb_build_object('outcome', 'repeated', 'state', d.state, 'status', d.verdict,
      'version', coalesce(d.recorded_version, d.expected_version), 'successor_key', d.successor_key, 'audit_sequence', d.audit_sequence);
  end if;
  if not 'operator' = any (roles) then refusal := 'not_granted'; end if;
  if refusal is null and o.version <> p_version then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, word || '_conflict', p_key, jsonb_build_object(
      'verdict', p_verdict, 'expected_version', p_version, 'version', o.version, 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'conflict') || app.change_of(o);
  end if;
  if refusal is null and exists (select from unnest(evidence) e(id) where not exists (select from public.lookups l
    where l.tenant_id = p_tenant and l.operation_key = p_key and l.evidence_id = e.id)) then
    return jsonb_build_object('outcome', 'not_its_evidence');
  end if;
  refusal := coalesce(refusal, app.judge(o, p_verdict, reference, p_act = 'propose'));
  if refusal is not null then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, word || '_refused', p_key, jsonb_build_object(
      'verdict', p_verdict, 'refusal', refusal, 'version', o.version, 'decision_id', p_decision));
    return jsonb_build_object('outcome', 'refused', 'refusal', refusal, 'version', o.version, 'status', o.status, 'audit_sequence', entry);
  end if;

  at := clock_timestamp();
  d.tenant_id := p_tenant; d.decision_id := p_decision; d.environment := p_environment; d.operation_key := p_key;
  d.verdict := p_verdict; d.reason := p_reason; d.effect_reference := reference; d.evidence_ids := evidence;
  d.expected_version := p_version; d.decided_by := p_user; d.content_digest := content; d.decided_at := at;
  if p_act = 'decide' then
    d.state := 'recorded';
    d := app.carry_out(o, d, null, null, at);
  else
    d.state := 'proposed';
    voided := app.void_open_proposal(o, p_decision, 'replaced', p_user, null, at);
    d.audit_sequence := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal', p_key, jsonb_build_object(
      'decision_id', p_decision, 'verdict', p_verdict, 'reason', p_reason, 'effect_reference', reference,
      'evidence_ids', to_jsonb(evidence), 'expected_version', p_version, 'from_status', o.status,
      'person', (select u.name from public.users u where u.user_id = p_user))
      || case when voided is null then '{}' else jsonb_build_object('voids', voided) end);
  end if;
  insert into public.decisions select d.*;
  return jsonb_build_object('outcome', case p_act when 'decide' then 'decided' else 'proposed' end, 'state', d.state,
    'status', case p_act when 'decide' then d.verdict else o.status end, 'version', coalesce(d.recorded_version, o.version),
    'successor_key', d.successor_key, 'audit_sequence', d.audit_sequence);
end $$;

-- A person's verdict: version check, status change, successor and audit entry, wholly or not at all. The same decision
-- id with the same content returns its first result.
create or replace function app.decide(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid,
  p_verdict text, p_reason text, p_reference text, p_evidence uuid[])
returns jsonb language sql volatile security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select app.give_verdict('decide', p_user, p_tenant, p_environment, p_key, p_version, p_decision, p_verdict, p_reason, p_reference, p_evidence)
$$;

-- A verdict that waits for a second person. It changes nothing of the operation, holds for the version that was seen, and
-- takes the place of an open proposal.
create function app.propose(p_user uuid, p_tenant text, p_environment text, p_key text, p_version bigint, p_decision uuid,
  p_verdict text, p_reason text, p_reference text, p_evidence uuid[])
returns jsonb language sql volatile security definer set search_path = pg_catalog, public, app, pg_temp as $$
  select app.give_verdict('propose', p_user, p_tenant, p_environment, p_key, p_version, p_decision, p_verdict, p_reason, p_reference, p_evidence)
$$;

-- The second person: another human, an approver since before the proposal, for the version that was proposed for. What was
-- proposed is carried out in the same statement, or the proposal is void.
create function app.approve_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_version bigint,
  p_reason text)
returns jsonb language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
#variable_conflict use_column
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  d public.decisions; o public.tool_operations; refusal text; void text; entry bigint; at timestamptz;
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_version is null or length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'the version that was seen and a reason of 1 to 4000 characters are required' using errcode = '22023';
  end if;
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select * into d from public.decisions where tenant_id = p_tenant and decision_id = p_decision and operation_key = p_key;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if d.state = 'approved' and d.approved_by = p_user and d.approval_reason = p_reason and d.expected_version = p_version then
    return jsonb_build_object('outcome', 'repeated', 'state', d.state, 'status', d.verdict, 'version', d.recorded_version,
      'successor_key', d.successor_key, 'audit_sequence', d.audit_sequence);
  end if;
  if d.state = 'proposed' and d.content_digest <> app.content_digest('propose', d.decided_by, d.environment, d.operation_key,
    d.expected_version, d.verdict, d.reason, d.effect_reference, d.evidence_ids) then
    raise exception 'proposal % is not what was proposed', p_decision using errcode = '22000';
  end if;
  at := clock_timestamp();
  refusal := case
    when not 'approver' = any (roles) then 'not_granted'
    when d.decided_by = p_user then 'own_proposal'
    when not exists (select from public.grants g where g.user_id = p_user and g.tenant_id = p_tenant
      and g.environment = p_environment and g.role = 'approver' and g.granted_at <= d.decided_at) then 'grant_too_new' end;
  if refusal is null and d.state = 'proposed' then
    void := case
      when o.version <> d.expected_version then 'version_changed'
      when not 'operator' = any (app.roles_of(d.decided_by, p_tenant, p_environment)) then 'proposer_not_granted' end;
    if void is not null then
      perform app.void_open_proposal(o, null, void, p_user, null, at);
      entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_voided', p_key, jsonb_build_object(
        'decision_id', p_decision, 'verdict', d.verdict, 'because', void, 'expected_version', d.expected_version, 'version', o.version));
      return jsonb_build_object('outcome', 'conflict', 'state', 'voided', 'voided_because', void) || app.change_of(o);
    end if;
  end if;
  if refusal is null and (d.state <> 'proposed' or p_version <> d.expected_version) then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_approval_conflict', p_key, jsonb_build_object(
      'decision_id', p_decision, 'verdict', d.verdict, 'state', d.state, 'expected_version', p_version, 'version', o.version));
    return jsonb_build_object('outcome', 'conflict', 'state', d.state, 'voided_because', d.voided_because) || app.change_of(o);
  end if;
  refusal := coalesce(refusal, app.judge(o, d.verdict, d.effect_reference, true));
  if refusal is not null then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_approval_refused', p_key, jsonb_build_object(
      'decision_id', p_decision, 'verdict', d.verdict, 'refusal', refusal, 'version', o.version));
    return jsonb_build_object('outcome', 'refused', 'refusal', refusal, 'version', o.version, 'status', o.status, 'audit_sequence', entry);
  end if;
  d := app.carry_out(o, d, p_user, p_reason, at);
  update public.decisions t set state = 'approved', approved_by = p_user, approved_at = at, approval_reason = p_reason,
    recorded_version = d.recorded_version, successor_key = d.successor_key, audit_sequence = d.audit_sequence
   where t.tenant_id = p_tenant and t.decision_id = p_decision;
  return jsonb_build_object('outcome', 'decided', 'state', 'approved', 'status', d.verdict, 'version', d.recorded_version,
    'successor_key', d.successor_key, 'audit_sequence', d.audit_sequence);
end $$;

-- Takes an open proposal back: its own person withdraws it, any other operator or approver declines it.
create function app.void_proposal(p_user uuid, p_tenant text, p_environment text, p_key text, p_decision uuid, p_reason text)
returns jsonb language plpgsql security definer set search_path = pg_catalog, public, app, pg_temp as $$
declare
  roles text[] := app.roles_of(p_user, p_tenant, p_environment);
  d public.decisions; o public.tool_operations; because text; entry bigint;
begin
  if cardinality(roles) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if length(btrim(coalesce(p_reason, ''))) not between 1 and 4000 then
    raise exception 'a reason of 1 to 4000 characters is required' using errcode = '22023';
  end if;
  select * into o from public.tool_operations
   where tenant_id = p_tenant and environment = p_environment and operation_key = p_key for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select * into d from public.decisions where tenant_id = p_tenant and decision_id = p_decision and operation_key = p_key;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  because := case when d.decided_by = p_user then 'withdrawn' else 'declined' end;
  if d.state = 'voided' and d.voided_by = p_user and d.void_reason = p_reason then
    return jsonb_build_object('outcome', 'repeated', 'state', d.state, 'voided_because', d.voided_because);
  end if;
  if not roles && array['operator', 'approver'] then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_void_refused', p_key, jsonb_build_object(
      'decision_id', p_decision, 'verdict', d.verdict, 'refusal', 'not_granted'));
    return jsonb_build_object('outcome', 'refused', 'refusal', 'not_granted', 'audit_sequence', entry);
  end if;
  if d.state <> 'proposed' then
    entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_void_conflict', p_key, jsonb_build_object(
      'decision_id', p_decision, 'verdict', d.verdict, 'state', d.state));
    return jsonb_build_object('outcome', 'conflict', 'state', d.state, 'voided_because', d.voided_because) || app.change_of(o);
  end if;
  perform app.void_open_proposal(o, null, because, p_user, p_reason, clock_timestamp());
  entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'proposal_voided', p_key, jsonb_build_object(
    'decision_id', p_decision, 'verdict', d.verdict, 'because', because, 'reason', p_reason, 'expected_version', d.expected_version));
  return jsonb_build_object('outcome', 'voided', 'state', 'voided', 'voided_because', because, 'audit_sequence', entry);
end $$;

-- Asks the application's reconciler to look an operation up. A question is stored and audited; it settles nothing. A
-- request id that another operation's question has is refused.
create or replace function app.ask_lookup(p_user uuid, p_tenant text, p_environment text, p_key text, p_request uuid)
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
  values (p_tenant, p_request, p_environment, p_key, 'user:' || p_user) on conflict (tenant_id, request_id) do nothing;
  if not found then return jsonb_build_object('outcome', 'request_id_reused'); end if;
  entry := app.append_audit(p_tenant, p_environment, 'user:' || p_user, 'lookup', p_key, jsonb_build_object('request_id', p_request));
  return jsonb_build_object('outcome', 'asked', 'request_id', p_request, 'audit_sequence', entry);
end $$;

alter function app.propose owner to replay_definer;
alter function app.approve_proposal owner to replay_definer;
alter function app.void_proposal owner to replay_definer;
revoke execute on function app.is_revocable, app.content_digest, app.judge, app.change_of, app.create_successor, app.end_successors,
  app.void_open_proposal, app.carry_out, app.give_verdict, app.propose, app.approve_proposal, app.void_proposal from public;
grant execute on function app.is_revocable to replay_console, replay_executor, replay_auditor, replay_definer;
grant execute on function app.content_digest, app.judge, app.change_of, app.create_successor, app.end_successors,
  app.void_open_proposal, app.carry_out, app.give_verdict to replay_definer;
grant execute on function app.propose, app.approve_proposal, app.void_proposal to replay_console;
