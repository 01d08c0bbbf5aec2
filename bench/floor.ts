import { randomUUID } from 'node:crypto';
import postgres from 'postgres';

/**
 * The floor: what is written by hand where nothing but the two statements is wanted. The article's own table with its
 * primary key and no other index, a claim that inserts, a completion that updates by key; no fingerprint, no
 * authorization, no fence by token, no trace. The bare driver, the same number of connections.
 */
export interface Floor {
  firstCall: (step: string) => Promise<void>;
  replay: (step: string) => Promise<void>;
  /** Operations that are applied. */
  applied: () => Promise<number>;
  close: () => Promise<void>;
}

const TENANT = 'acme';
const keyOf = (workflowId: string) => `${TENANT}:production:${workflowId}:create_ticket`;

export async function openFloor(url: string, connections: number, effect: () => string): Promise<Floor> {
  const sql = postgres(url, { max: connections, onnotice: () => {} });
  await sql`create table public.floor_operations (
    tenant_id text not null,
    operation_key text not null,
    tool_name text not null,
    tool_version text not null,
    request_fingerprint text not null,
    status text not null,
    effect_reference text,
    response_json jsonb,
    lease_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, operation_key))`;
  return {
    firstCall: async (step) => {
      const key = keyOf(step);
      const claimed = await sql`
        insert into public.floor_operations (tenant_id, operation_key, tool_name, tool_version, request_fingerprint, status, lease_until)
        values (${TENANT}, ${key}, 'tickets.create', '1', ${'none'}, 'pending', now() + interval '30 seconds')
        on conflict (tenant_id, operation_key) do nothing returning operation_key`;
      if (claimed.length !== 1) throw new Error(`the floor claimed ${key} twice`);
      const id = effect();
      await sql`
        update public.floor_operations set status = 'applied', effect_reference = ${id},
          response_json = ${sql.json({ id, status: 'open' })}, lease_until = null, updated_at = now()
        where tenant_id = ${TENANT} and operation_key = ${key}`;
    },
    replay: async (step) => {
      const rows = await sql`select status, effect_reference, response_json from public.floor_operations
        where tenant_id = ${TENANT} and operation_key = ${keyOf(step)}`;
      if (rows[0]?.['status'] !== 'applied') throw new Error(`the floor does not know ${step}`);
    },
    applied: async () => {
      const [row] =
        await sql`select count(*)::integer as n from public.floor_operations where status = 'applied'`;
      return row?.['n'] as number;
    },
    close: () => sql.end(),
  };
}

export const newReference = () => `ticket_${randomUUID()}`;
