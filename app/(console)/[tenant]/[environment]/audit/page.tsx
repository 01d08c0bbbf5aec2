import type { Metadata } from 'next';
import { AuditScreen } from '../../../../../components/audit/audit-screen.tsx';
import { pageCaller } from '../../../../../lib/auth/caller.ts';
import { listAudit } from '../../../../../lib/services/list-audit.ts';
import { auditSearch } from '../../../../../lib/shapes/operation-search.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readScope } from '../../../path.ts';
import { readSearch } from '../../../search.ts';

type Props = {
  params: Promise<{ tenant: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const metadata: Metadata = { title: 'Audit' };

export default async function AuditPage({ params, searchParams }: Props) {
  const scope = await readScope(params);
  const { before = null } = await readSearch(auditSearch, searchParams);
  const caller = await pageCaller();
  const page = await orNotFound(listAudit(caller, scope, { before }));
  return <AuditScreen key={before} scope={scope} before={before} initial={page} />;
}
