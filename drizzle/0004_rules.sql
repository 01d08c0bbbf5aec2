-- The rules of lib/domain in SQL, tested equal to them over the same enumeration (db/testing feeds both).

-- The finite view that every rule reads; the fields are lib/domain/facts.ts in snake_case.
create type app.facts as (
  status text, pending_reason text, lease text, sent boolean, doubt text, ended boolean, due boolean,
  attempts_left boolean, evidence text, asked boolean, key_window text, recover_passed boolean, job_open boolean,
  version_held boolean, approval text, predecessor text, manual boolean, contradicted boolean, retention text,
  abandon_passed boolean, epoch text, adopted boolean, lookup text, resend text, delicate boolean
);

create function app.is_found(f app.facts) returns boolean language sql immutable parallel safe
return (f).evidence in ('found', 'found_advisory');

create function app.resend_open(f app.facts) returns boolean language sql immutable parallel safe
return (f).resend = 'absolute' or ((f).resend = 'keyed' and (f).key_window = 'open');

create function app.is_doubtless(f app.facts) returns boolean language sql immutable parallel safe
return (f).doubt = 'none' and ((f).epoch = 'current' or (f).status = 'none');

create function app.is_recovering(f app.facts) returns boolean language sql immutable parallel safe
return (f).pending_reason = 'recovering' or ((f).adopted and (f).status = 'pending' and (f).lease <> 'live');

create function app.is_unknown(f app.facts) returns boolean language sql immutable parallel safe
return (f).status in ('unknown', 'unrecognised');

create function app.is_terminal(f app.facts) returns boolean language sql immutable parallel safe
return (f).status in ('applied', 'failed_permanent', 'approved_new_key');

create function app.is_open(f app.facts) returns boolean language sql immutable parallel safe
return (f).status in ('unknown', 'unrecognised') or ((f).status = 'pending' and (f).lease <> 'live');

create function app.may_attempt(f app.facts) returns boolean language sql immutable parallel safe
return (f).attempts_left and not (f).manual and (f).approval <> 'missing' and (f).predecessor <> 'changed'
  and not app.is_found(f) and (app.is_doubtless(f) or app.resend_open(f));

create function app.is_conclusively_absent(f app.facts) returns boolean language sql immutable parallel safe
return (f).evidence = 'absent_conclusive' and (f).epoch = 'current';

create function app.settles_absent(f app.facts) returns boolean language sql immutable parallel safe
return app.is_conclusively_absent(f) and not ((f).delicate and not (f).ended);

create function app.is_exhausted(f app.facts) returns boolean language sql immutable parallel safe
return case
  when (f).pending_reason = 'ready' then not app.may_attempt(f) and (f).evidence <> 'found'
  when (f).evidence = 'found' or (f).pending_reason = 'accepted' then false
  when (f).evidence = 'found_advisory' then true
  when app.is_conclusively_absent(f) then not app.settles_absent(f)
  else (f).lookup = 'none' and not ((f).resend <> 'never' and (f).attempts_left and app.resend_open(f)) end;

/* lib/domain/transitions.ts isAllowed */
create function app.allowed(event text, f app.facts) returns boolean language sql immutable parallel safe
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
    when 'decide_new_key' then app.is_open(f) and not app.is_found(f)
    when 'amend' then app.is_terminal(f) and (f).contradicted
    when 'fail_over' then ((f).status = 'pending' or app.is_unknown(f)) and (f).epoch = 'older'
    when 'abandon' then (f).pending_reason in ('ready', 'queued', 'awaiting_approval') and app.is_doubtless(f)
      and not app.is_found(f) and (f).abandon_passed
    when 'compact' then app.is_terminal(f) and not (f).contradicted and (f).retention = 'past'
    else false end end;

/* lib/domain/transitions.ts nextState, as 'status' or 'pending/reason' */
create function app.next_state(event text, f app.facts) returns text language sql immutable parallel safe
return case
  when event in ('claim', 'acquire', 'send') then 'pending/leased'
  when event = 'enqueue' then 'pending/queued'
  when event = 'request_approval' then 'pending/awaiting_approval'
  when event = 'accept' then 'pending/accepted'
  when event in ('approve', 'release', 'settle_absent', 'resend') then 'pending/ready'
  when event in ('apply', 'settle_found', 'decide_applied') then 'applied'
  when event in ('deny', 'refuse', 'settle_refused', 'decide_failed', 'abandon') then 'failed_permanent'
  when event = 'decide_new_key' then 'approved_new_key'
  when event = 'give_up' then 'unknown'
  when event = 'expire' and not (f).sent and app.is_doubtless(f) then 'pending/ready'
  when event in ('doubt', 'fail_over', 'expire') then
    case when not (f).adopted and ((f).lookup <> 'none' or (f).resend <> 'never') then 'pending/recovering' else 'unknown' end
  when event = 'compact' then (f).status end;

/* lib/domain/verdict.ts needsSecondPerson */
create function app.needs_second_person(verdict text, f app.facts, receipt_taken boolean) returns boolean
language sql immutable parallel safe
return case verdict
  when 'applied' then app.is_conclusively_absent(f) or receipt_taken
  when 'approved_new_key' then (f).job_open or (not app.is_conclusively_absent(f) and not app.is_doubtless(f))
  else not app.is_conclusively_absent(f) and not app.is_doubtless(f) end;

/* lib/domain/verdict.ts judgeVerdict for an operator: null where allowed, else the refusal */
create function app.verdict_refusal(verdict text, f app.facts, receipt text, receipt_taken boolean, second_person boolean)
returns text language sql immutable parallel safe
return case
  when (f).status = 'none' then 'not_an_operation'
  when (f).lease = 'live' then 'being_attempted'
  when app.is_terminal(f) then 'already_resolved'
  when not app.allowed(case verdict when 'applied' then 'decide_applied' when 'failed_permanent' then 'decide_failed'
      else 'decide_new_key' end, f) then
    case when verdict <> 'applied' and app.is_found(f) then 'effect_found' else 'older_epoch' end
  when verdict = 'applied' and coalesce(btrim(receipt), '') = '' then 'receipt_required'
  when app.needs_second_person(verdict, f, receipt_taken) and not second_person then 'second_person_required' end;

-- What the stored evidence proves at this moment.
create function app.evidence_fact(o public.tool_operations, c public.tool_contracts) returns text
language sql stable parallel safe
begin atomic
  select case
    when (o).evidence is null then 'none'
    when (o).evidence = 'found' then case when l.authoritative then 'found' else 'found_advisory' end
    when (o).evidence = 'absent' then case
      when l.authoritative and (o).provider_job_id is null
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

-- An operation's facts by the database clock. A row whose contract is not registered has no capability.
create function app.facts_at(o public.tool_operations, c public.tool_contracts, at timestamptz) returns app.facts
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
    (o).provider_job_id is not null,
    true,
    case when (c).decision = 'automate_with_approval' then 'missing' else 'not_needed' end,
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

create function app.contract_of(o public.tool_operations) returns public.tool_contracts language sql stable parallel safe
begin atomic
  select c from public.tool_contracts c where c.name = (o).tool_name and c.version = (o).tool_version;
end;

create function app.facts_of(o public.tool_operations) returns app.facts language sql stable parallel safe
begin atomic
  select app.facts_at(o, app.contract_of(o), clock_timestamp());
end;

-- The instant from which a row is a person's work (DESIGN §3); null once it is nobody's.
create function app.case_at(o public.tool_operations, c public.tool_contracts, at timestamptz) returns timestamptz
language sql immutable parallel safe
return case
  when (o).contradicted_at is not null then least((o).contradicted_at, at)
  when (o).status = 'unknown' then at
  when (o).status <> 'pending' then null
  when (o).pending_reason = 'leased' then (o).lease_until + interval '60 seconds'
  when (o).pending_reason = 'ready' then case when (o).attempt >= (c).max_attempts then at
    else (o).next_attempt_at + make_interval(secs => 3 * (c).backoff_seconds) end
  when (o).pending_reason = 'accepted' then at + make_interval(secs => coalesce((c).job_seconds, (c).recovery_seconds))
  when (o).pending_reason = 'recovering' then (o).recover_until
  else at + make_interval(secs => (c).response_seconds) end;
