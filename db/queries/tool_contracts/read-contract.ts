import type { Sql } from '../../client.ts';

/** The registered document of one version. */
export const readContract = (sql: Sql, name: string, version: string) =>
  sql<
    { answer: unknown }[]
  >`select body as answer from public.tool_contracts where name = ${name} and version = ${version}`;
