-- Reverse reconciliation: what a provider lists is walked, kept, and compared with what our operations say.

-- One row for each list that is walked, with its last run. `resume_after` is a cursor that every effect before it has
-- been shown at for the overlap, so that an effect that becomes visible late is still met.
create table public.provider_walks (
  tenant_id text not null,
  environment text not null,
  tool_name text not null,
  runs bigint not null default 0,
  run_id uuid,
  worker text,
  taken_until timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  failed text,
  pages integer not null default 0,
  effects integer not null default 0,
  opened integer not null default 0,
  closed integer not null default 0,
  next_walk_at timestamptz not null default now(),
  completed_at timestamptz,
  resume_after text,
  passing boolean not null default true,
  next_resume_after text,
  judged_until timestamptz not null default '-infinity',
  primary key (tenant_id, environment, tool_name)
);
create index provider_walks_due on public.provider_walks (next_walk_at);

-- What a provider has shown. A reference may be longer than an index row: its digest is the key.
create table public.provider_effects (
  tenant_id text not null,
  environment text not null,
  tool_name text not null,
  reference_digest bytea not null,
  reference text not null,
  downstream_key text,
  committed_at timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- since when an applied operation names it; judged again in each run until then
  explained_at timestamptz,
  primary key (tenant_id, environment, tool_name, reference_digest)
);
create index provider_effects_key on public.provider_effects (tenant_id, environment, tool_name, left(downstream_key, 200))
  where downstream_key is not null;
create index provider_effects_unexplained on public.provider_effects (tenant_id, environment, tool_name) where explained_at is null;
-- The operation of a downstream key that is a digest; any other is the operation key itself.
create index tool_operations_downstream_key on public.tool_operations (tenant_id, downstream_key)
  where downstream_key <> operation_key;

-- What is shown and does not agree with us, or is not shown. Opened once; closed when it is explained.
create table public.provider_findings (
  tenant_id text not null,
  finding_id uuid not null default gen_random_uuid(),
  environment text not null,
  tool_name text not null,
  kind text not null check (kind in ('no_operation', 'resolved_otherwise', 'another_receipt', 'receipt_missing', 'second_effect')),
  -- the digest of the reference; of the operation key where a receipt is missing
  subject bytea not null,
  operation_key text,
  reference text,
  downstream_key text,
  committed_at timestamptz,
  opened_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  primary key (tenant_id, finding_id),
  foreign key (tenant_id, operation_key) references public.tool_operations (tenant_id, operation_key),
  check ((kind = 'receipt_missing' and operation_key is not null) or reference is not null)
);
create unique index provider_findings_open on public.provider_findings (tenant_id, environment, tool_name, kind, subject)
  where closed_at is null;
create index provider_findings_recent on public.provider_findings (tenant_id, environment, opened_at desc, finding_id);

create function app.text_digest(given text) returns bytea language sql stable parallel safe
return sha256(convert_to(given, 'UTF8'));

-- Takes lists that are due. A list is walked for each tenant and environment whose latest changes show the tool.
create function app.take_walks(p_worker text, p_tools jsonb, p_limit integer, p_seconds integer) returns jsonb language plpgsql as $$
declare taken jsonb; at timestamptz := clock_timestamp();
begin
  with recursive scope as ( -- one step of the index for each tenant and environment
    (select o.tenant_id, o.environment from public.tool_operations o where o.version > 0 order by o.tenant_id, o.environment limit 1)
    union all
    select next.tenant_id, next.environment from scope s cross join lateral (
      select o.tenant_id, o.environment from public.tool_operations o
       where o.version > 0 and (o.tenant_id, o.environment) > (s.tenant_id, s.environment)
       order by o.tenant_id, o.environment limit 1) next
  )
  insert into public.provider_walks (tenant_id, environment, tool_name)
  select s.tenant_id, s.environment, t.name from scope s join jsonb_to_recordset(p_tools) t(name text, environment text) on t.environment = s.environment
   where not exists (select from public.provider_walks w
       where w.tenant_id = s.tenant_id and w.environment = s.environment and w.tool_name = t.name)
     and exists (select from (select o.tool_name from public.tool_operations o
       where o.version > 0 and o.tenant_id = s.tenant_id and o.environment = s.environment
       order by o.updated_at desc limit 5000) latest
       where latest.tool_name = t.name)
  on conflict do nothing;
  with due as (
    select w.tenant_id, w.environment, w.tool_name from public.provider_walks w
     where w.next_walk_at <= at and coalesce(w.taken_until, '-infinity') <= at
       and exists (select from jsonb_to_recordset(p_tools) t(name text, environment text)
         where t.name = w.tool_name and t.environment = w.environment)
     order by w.next_walk_at limit p_limit for update skip locked
  ), started as (
    update public.provider_walks w set runs = w.runs + 1, run_id = gen_random_uuid(), worker = p_worker, started_at = at,
      ended_at = null, failed = null, pages = 0, effects = 0, opened = 0, closed = 0, passing = true,
      next_resume_after = w.resume_after, taken_until = at + make_interval(secs => p_seconds)
    from due where w.tenant_id = due.tenant_id and w.environment = due.environment and w.tool_name = due.tool_name
    returning w.*
  )
  select coalesce(jsonb_agg(jsonb_build_object('tenant_id', s.tenant_id, 'environment', s.environment,
    'tool_name', s.tool_name, 'run_id', s.run_id, 'after', s.resume_after)), '[]') into taken from started s;
  return taken;
end $$;

-- The run that still has its list, locked; none where it was overtaken or has ended.
create function app.walk_of(p_run jsonb) returns setof public.provider_walks language sql as $$
  select * from public.provider_walks w where w.tenant_id = p_run->>'tenant_id' and w.environment = p_run->>'environment'
    and w.tool_name = p_run->>'tool_name' and w.run_id = (p_run->>'run_id')::uuid and w.ended_at is null for update
$$;

-- How long a walked page is walked again: twice the longest that the downstream needs to show an effect, a minute at least.
create function app.walk_overlap(p_tool text) returns interval language sql stable as $$
  select make_interval(secs => greatest(60, 2 * coalesce(max(c.settle_seconds), 0)))
  from public.tool_contracts c where c.name = p_tool
$$;

-- Keeps one page of a list; answers whether the run still has it.
create function app.store_walk_page(p_run jsonb, p_effects jsonb, p_next text, p_seconds integer) returns boolean language plpgsql as $$
declare w public.provider_walks; at timestamptz := clock_timestamp(); passed boolean;
begin
  select * into w from app.walk_of(p_run);
  if not found then return false; end if;
  with shown as (
    select distinct on (1) app.text_digest(t.value->>'reference') as digest, t.value from jsonb_array_elements(p_effects) t
  ), kept as (
    insert into public.provider_effects as e (tenant_id, environment, tool_name, reference_digest, reference, downstream_key,
      committed_at, first_seen_at, last_seen_at)
    select w.tenant_id, w.environment, w.tool_name, s.digest, s.value->>'reference', s.value->>'downstream_key',
      (s.value->>'committed_at')::timestamptz, at, at from shown s order by s.digest
    on conflict (tenant_id, environment, tool_name, reference_digest) do update set last_seen_at = at,
      downstream_key = coalesce(e.downstream_key, excluded.downstream_key)
    returning e.first_seen_at
  )
  select coalesce(bool_and(k.first_seen_at < w.started_at - app.walk_overlap(w.tool_name)), true) into passed from kept k;
  passed := w.passing and passed and p_next is not null;
  update public.provider_walks t set pages = t.pages + 1, effects = t.effects + jsonb_array_length(p_effects),
    taken_until = at + make_interval(secs => p_seconds), passing = passed,
    next_resume_after = case when passed then p_next else t.next_resume_after end
   where t.tenant_id = w.tenant_id and t.environment = w.environment and t.tool_name = w.tool_name;
  return true;
end $$;

-- What each effect that no applied operation names yet is, beside our operations; null is no finding (yet).
create function app.judged_effects(p_tenant text, p_environment text, p_tool text)
returns table (subject bytea, kind text, operation_key text, reference text, downstream_key text, committed_at timestamptz, explained boolean)
language sql stable as $$
  select e.reference_digest, case
      when named.operation_key is not null then null
      when k.operation_key is null then 'no_operation'
      when k.status in ('failed_permanent', 'approved_new_key') then 'resolved_otherwise'
      when k.status = 'applied' and k.effect_reference is null then null
      when k.status = 'applied' then case when first.shown then 'second_effect' else 'another_receipt' end
      when first.older then 'second_effect' end,
    k.operation_key, e.reference, e.downstream_key, e.committed_at,
    named.operation_key is not null or (k.status = 'applied' and k.effect_reference is null)
  from public.provider_effects e
  left join lateral (
    select o.operation_key, o.status, o.effect_reference from public.tool_operations o
     where o.tenant_id = e.tenant_id and o.environment = e.environment and o.operation_key = e.downstream_key
    union all
    select o.operation_key, o.status, o.effect_reference from public.tool_operations o
     where o.tenant_id = e.tenant_id and o.environment = e.environment and o.downstream_key = e.downstream_key
       and o.downstream_key <> o.operation_key
    limit 1) k on true
  left join lateral (
    select o.operation_key from public.tool_operations o
     where o.tenant_id = e.tenant_id and o.environment = e.environment and left(o.effect_reference, 200) = left(e.reference, 200)
       and o.effect_reference = e.reference and o.tool_name = e.tool_name and o.status = 'applied' limit 1) named on true
  left join lateral (
    select bool_or(x.reference = k.effect_reference) as shown,
      bool_or((x.committed_at, x.reference) < (e.committed_at, e.reference)) as older
    from public.provider_effects x where x.tenant_id = e.tenant_id and x.environment = e.environment
      and x.tool_name = e.tool_name and left(x.downstream_key, 200) = left(e.downstream_key, 200)
      and x.downstream_key = e.downstream_key and x.reference_digest <> e.reference_digest) first on true
  where e.tenant_id = p_tenant and e.environment = p_environment and e.tool_name = p_tool and e.explained_at is null
$$;

-- Applied operations whose receipt no walk has shown, once it had the time to be shown. A list that begins later than
-- an operation says nothing about it.
create function app.missing_receipts(w public.provider_walks) returns table (operation_key text, reference text)
language sql stable as $$
  select o.operation_key, o.effect_reference from public.tool_operations o
    join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
   where o.version > 0 and o.tenant_id = w.tenant_id and o.environment = w.environment and o.updated_at > w.judged_until
     and o.tool_name = w.tool_name and o.status = 'applied' and o.effect_reference is not null
     and greatest(o.quiet_until, o.updated_at) + make_interval(secs => c.settle_seconds) < w.started_at
     and o.sent_at >= coalesce((select min(e.committed_at) - interval '1 day' from public.provider_effects e
       where e.tenant_id = w.tenant_id and e.environment = w.environment and e.tool_name = w.tool_name), '-infinity')
     and not exists (select from public.provider_effects e where e.tenant_id = w.tenant_id and e.environment = w.environment
       and e.tool_name = w.tool_name and e.reference_digest = app.text_digest(o.effect_reference))
$$;

-- Compares what has been shown with what our operations say: opens findings once, and closes what is explained. What
-- contradicts an operation is evidence about it, and makes it a case by the rules of evidence.
create function app.judge_walk(w public.provider_walks) returns public.provider_walks language plpgsql as $$
declare found_rows jsonb;
begin
  with judged as (select * from app.judged_effects(w.tenant_id, w.environment, w.tool_name)
  ), missing as (select * from app.missing_receipts(w)
  ), explained as (
    update public.provider_effects e set explained_at = clock_timestamp() from judged j
     where j.explained and e.tenant_id = w.tenant_id and e.environment = w.environment and e.tool_name = w.tool_name
       and e.reference_digest = j.subject
  ), shut as (
    update public.provider_findings f set closed_at = clock_timestamp()
     where f.tenant_id = w.tenant_id and f.environment = w.environment and f.tool_name = w.tool_name and f.closed_at is null
       and case when f.kind = 'receipt_missing'
         then exists (select from public.provider_effects e where e.tenant_id = f.tenant_id and e.environment = f.environment
             and e.tool_name = f.tool_name and e.reference_digest = app.text_digest(f.reference))
           or not exists (select from public.tool_operations o where o.tenant_id = f.tenant_id
             and o.operation_key = f.operation_key and o.status = 'applied' and o.effect_reference = f.reference)
         else not exists (select from judged j where j.subject = f.subject and j.kind = f.kind) end
    returning f.finding_id
  ), fresh as (
    insert into public.provider_findings (tenant_id, environment, tool_name, kind, subject, operation_key, reference,
      downstream_key, committed_at)
    select w.tenant_id, w.environment, w.tool_name, j.kind, j.subject, j.operation_key, j.reference, j.downstream_key, j.committed_at
      from judged j where j.kind is not null
    union all
    select w.tenant_id, w.environment, w.tool_name, 'receipt_missing', app.text_digest(m.operation_key), m.operation_key,
      m.reference, null, null from missing m
    on conflict (tenant_id, environment, tool_name, kind, subject) where closed_at is null do nothing
    returning *
  )
  select (select count(*) from fresh), (select count(*) from shut), (select jsonb_agg(jsonb_build_object(
      'tenant_id', f.tenant_id, 'environment', f.environment, 'operation_key', f.operation_key, 'source', 'lookup',
      'asked_by', 'system:walk ' || w.worker, 'looked_up_by', 'list', 'asked_at', w.started_at,
      'answer', case f.kind when 'receipt_missing' then 'absent' else 'found' end,
      'authoritative', c.lookup = 'authoritative',
      'effect_reference', case f.kind when 'receipt_missing' then null else f.reference end, 'committed_at', f.committed_at,
      'summary', case f.kind when 'receipt_missing' then 'The provider''s list does not show ' || f.reference || '.'
        else 'The provider''s list shows ' || f.reference || ' of this key.' end,
      'trace', jsonb_build_object('actor', 'system:walk', 'worker', w.worker)))
    from fresh f join public.tool_operations o on o.tenant_id = f.tenant_id and o.operation_key = f.operation_key
    join public.tool_contracts c on c.name = o.tool_name and c.version = o.tool_version
    where o.status in ('applied', 'failed_permanent', 'approved_new_key'))
  into w.opened, w.closed, found_rows;
  if found_rows is not null then perform app.record_evidence(found_rows); end if;
  return w;
end $$;

-- Ends a run: a walk that saw the end of its list is judged, one that failed is tried again. Null where it was overtaken.
create function app.end_walk(p_run jsonb, p_failed text, p_again_seconds integer) returns jsonb language plpgsql as $$
declare w public.provider_walks;
begin
  select * into w from app.walk_of(p_run);
  if not found then return null; end if;
  if p_failed is null then
    w := app.judge_walk(w);
    w.resume_after := w.next_resume_after; w.completed_at := w.started_at;
    w.judged_until := w.started_at - app.walk_overlap(w.tool_name) - make_interval(secs => coalesce(
      (select max(c.call_budget_ms) / 1000.0 from public.tool_contracts c where c.name = w.tool_name), 0));
  end if;
  update public.provider_walks t set ended_at = clock_timestamp(), failed = p_failed, taken_until = null, opened = w.opened,
    closed = w.closed, resume_after = w.resume_after, completed_at = w.completed_at, judged_until = w.judged_until,
    next_walk_at = clock_timestamp() + make_interval(secs => p_again_seconds)
   where t.tenant_id = w.tenant_id and t.environment = w.environment and t.tool_name = w.tool_name;
  return jsonb_build_object('opened', w.opened, 'closed', w.closed);
end $$;

do $$
declare t text;
begin
  foreach t in array array['provider_walks', 'provider_effects', 'provider_findings']
  loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('create policy definer on public.%I to replay_definer using (true) with check (true)', t);
    execute format($p$create policy console on public.%I for select to replay_console
      using ((tenant_id || E'\x1f' || environment) = any ((select app.scopes())::text[]))$p$, t);
    execute format('create policy auditor on public.%I for select to replay_auditor using (true)', t);
    execute format('create policy executor on public.%I to replay_executor using (true) with check (true)', t);
    execute format('grant select on public.%I to replay_console, replay_auditor, replay_definer', t);
    execute format('grant select, insert, update on public.%I to replay_executor', t);
  end loop;
end $$;
revoke execute on function app.text_digest, app.take_walks, app.walk_of, app.walk_overlap, app.store_walk_page,
  app.judged_effects, app.missing_receipts, app.judge_walk, app.end_walk from public;
grant execute on function app.text_digest, app.take_walks, app.walk_of, app.walk_overlap, app.store_walk_page,
  app.judged_effects, app.missing_receipts, app.judge_walk, app.end_walk to replay_executor;
