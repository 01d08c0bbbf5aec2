-- A send that surely survived into this epoch: of the operations that changed last, the latest. Only what was sent is
-- read, because an operation may have been settled or decided here before the epoch was seen, and nothing is sent before.
-- An earlier time is a shorter key window, so it is safe that the latest send of all may be another.
create or replace function app.last_claim_at() returns timestamptz language sql stable
security definer set search_path = pg_catalog, public, app, pg_temp as $$
  with recursive scope as ( -- one step of the index for each tenant and environment
    (select o.tenant_id, o.environment from public.tool_operations o where o.version > 0 order by o.tenant_id, o.environment limit 1)
    union all
    select next.tenant_id, next.environment from scope s cross join lateral (
      select o.tenant_id, o.environment from public.tool_operations o
       where o.version > 0 and (o.tenant_id, o.environment) > (s.tenant_id, s.environment) order by o.tenant_id, o.environment limit 1) next
  )
  select max(last.sent_at) from scope s cross join lateral (
    select o.sent_at from public.tool_operations o where o.version > 0 and o.tenant_id = s.tenant_id and o.environment = s.environment
     order by o.updated_at desc limit 1000) last
$$;
