import type { Sql } from '../../client.ts';
import { jsonb } from '../../jsonb.ts';

/** Takes open questions of the console about tools that the caller holds. */
export const takeLookupRequests = (sql: Sql, tools: unknown, limit: number, seconds: number) =>
  sql<
    { answer: unknown }[]
  >`select app.take_lookup_requests(${jsonb(sql, tools)}, ${limit}, ${seconds}) as answer`;
