import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Reads, Scope } from '../../client.ts';
import { providerFindings } from '../../schema/provider-findings.ts';

export type FindingsAfter = { openedAt: string; findingId: string };

/** Open findings of one scope, the newest first; at most `limit` after the cursor. */
export const listFindings = (db: Reads, scope: Scope, page: { after: FindingsAfter | null; limit: number }) =>
  db
    .select()
    .from(providerFindings)
    .where(
      and(
        eq(providerFindings.tenantId, scope.tenantId),
        eq(providerFindings.environment, scope.environment),
        isNull(providerFindings.closedAt),
        page.after === null
          ? undefined
          : sql`(${providerFindings.openedAt}, ${providerFindings.findingId})
              < (${page.after.openedAt}::timestamptz, ${page.after.findingId}::uuid)`,
      ),
    )
    .orderBy(desc(providerFindings.openedAt), desc(providerFindings.findingId))
    .limit(page.limit);
