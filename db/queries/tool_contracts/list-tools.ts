import { sql } from 'drizzle-orm';
import type { Reads } from '../../client.ts';

/** The names of the registered tools, for a filter. Contracts are global. */
export async function listTools(db: Reads): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select distinct c.name from public.tool_contracts c order by c.name limit 200`,
  );
  return rows.map((row) => String(row['name']));
}
