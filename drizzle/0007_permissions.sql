-- Four roles in real use: the owner migrates, the executor works, the console reads its scopes and writes through
-- definer functions, the auditor reads. Row-level security is forced on every tenant table.

do $$
declare t text;
begin
  foreach t in array array['tool_operations', 'tool_operation_events', 'lookups', 'lookup_requests', 'decisions',
    'audit_entries', 'audit_heads', 'grants', 'identity_grants']
  loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('create policy definer on public.%I to replay_definer using (true) with check (true)', t);
  end loop;
  foreach t in array array['tool_operations', 'tool_operation_events', 'lookups', 'lookup_requests', 'decisions', 'audit_entries', 'audit_heads']
  loop
    execute format($p$create policy console on public.%I for select to replay_console
      using ((tenant_id || E'\x1f' || environment) = any ((select app.scopes())::text[]))$p$, t);
    execute format('create policy auditor on public.%I for select to replay_auditor using (true)', t);
    execute format('grant select on public.%I to replay_console, replay_auditor', t);
  end loop;
  foreach t in array array['tool_operations', 'tool_operation_events', 'lookups', 'lookup_requests']
  loop
    execute format('create policy executor on public.%I to replay_executor using (true) with check (true)', t);
  end loop;
end $$;

grant usage on schema app to replay_console, replay_executor, replay_auditor, replay_definer;
grant select, insert, update on public.tool_operations to replay_executor, replay_definer;
grant select, insert on public.tool_operation_events, public.lookups to replay_executor, replay_definer;
grant select, update on public.lookup_requests to replay_executor;
grant select, insert, update on public.lookup_requests, public.decisions, public.audit_heads to replay_definer;
grant select, insert on public.audit_entries to replay_definer;
grant select, insert, update on public.tool_contracts to replay_executor;
grant select on public.tool_contracts to replay_console, replay_auditor, replay_definer;
grant select, insert, update, delete on public.sessions to replay_definer;
grant select, insert, update on public.users, public.identities, public.grants to replay_definer;
grant select, insert on public.identity_grants to replay_definer;
grant select on app.schema_migrations to replay_console, replay_executor, replay_auditor;
-- names of people for the screens; never an address
grant select (user_id, name) on public.users to replay_console, replay_auditor;

-- Foreign executors write this one table; a trigger keeps its version and trace.
create policy foreign_writer on public.tool_operations to replay_foreign_writer using (true) with check (adopted);
-- the article's columns are theirs; whatever we judge by is not
grant select, insert (tenant_id, operation_key, environment, tool_name, tool_version, request_fingerprint, status,
    effect_reference, response_json, lease_until, created_at, updated_at),
  update (tool_name, tool_version, request_fingerprint, status, effect_reference, response_json, lease_until, created_at, updated_at)
  on public.tool_operations to replay_foreign_writer;

create function app.before_foreign_write() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, app, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    if not old.adopted then raise exception 'operation % belongs to this executor', old.operation_key using errcode = '42501'; end if;
    new.version := old.version + 1;
  end if;
  new.adopted := true; new.fingerprint_version := 0;
  new.updated_at := clock_timestamp();
  if new.status not in ('applied', 'failed_permanent', 'approved_new_key') then
    new.doubt_attempt := coalesce(new.doubt_attempt, new.attempt); -- taken up again, whatever was decided before
  end if;
  new.case_at := case when new.status in ('applied', 'failed_permanent', 'approved_new_key') then new.contradicted_at
    when new.status = 'pending' then coalesce(new.lease_until, new.updated_at) + interval '60 seconds' else new.updated_at end;
  return new;
end $$;
-- after it: an insert that meets an existing key writes nothing, and is no event
create function app.after_foreign_write() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, app, pg_temp as $$
begin
  perform app.add_event(new, 'foreign_write', case when tg_op = 'UPDATE' then old.status end,
    jsonb_build_object('actor', 'foreign:' || session_user));
  return null;
end $$;
-- a superuser is formally a member of every group, and yet not another executor
create function app.is_foreign_writer(role name) returns boolean language sql stable parallel safe
return pg_has_role(role, 'replay_foreign_writer', 'member')
  and not (select r.rolsuper from pg_roles r where r.rolname = role);
create trigger foreign_write before insert or update on public.tool_operations
  for each row when (current_user not in ('replay_owner', 'replay_definer', 'replay_executor')
    and app.is_foreign_writer(current_user))
  execute function app.before_foreign_write();
create trigger foreign_written after insert or update on public.tool_operations
  for each row when (current_user not in ('replay_owner', 'replay_definer', 'replay_executor')
    and app.is_foreign_writer(current_user))
  execute function app.after_foreign_write();

do $$
declare f regprocedure;
begin
  revoke execute on all functions in schema app from public;
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'app'::regnamespace and p.prosecdef
  loop
    execute format('alter function %s owner to replay_definer', f);
  end loop;
end $$;

-- pure rules and facts, for everybody who reads
grant execute on function app.is_found, app.resend_open, app.is_doubtless, app.is_recovering, app.is_unknown, app.is_terminal,
  app.is_open, app.may_attempt, app.is_conclusively_absent, app.settles_absent, app.is_exhausted, app.allowed, app.next_state,
  app.needs_second_person, app.verdict_refusal, app.evidence_fact, app.facts_at, app.contract_of, app.facts_of, app.case_at,
  app.key_part, app.scopes, app.names_another_receipt to replay_console, replay_executor, replay_auditor, replay_definer;
grant usage on schema app to replay_foreign_writer;
grant execute on function app.key_part, app.is_foreign_writer to replay_foreign_writer, replay_executor, replay_definer;
grant execute on function app.record, app.add_event, app.claim, app.read_operations, app.transition, app.heartbeat,
  app.add_events, app.record_evidence, app.expired_leases, app.take_reconcilable, app.take_lookup_requests,
  app.register_contract to replay_executor;
grant execute on function app.add_event, app.append_audit, app.roles_of, app.successor_key to replay_definer;
grant execute on function app.decide, app.ask_lookup, app.deny, app.sign_in, app.find_user, app.find_identity,
  app.open_session, app.find_session, app.close_session to replay_console;
