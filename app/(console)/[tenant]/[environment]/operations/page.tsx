import type { Metadata } from 'next';
import { OperationsScreen } from '../../../../../components/operations/operations-screen.tsx';
import { pageCaller } from '../../../../../lib/auth/caller.ts';
import { listOperations } from '../../../../../lib/services/list-operations.ts';
import { operationSearch } from '../../../../../lib/shapes/operation-search.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readScope } from '../../../path.ts';
import { readSearch } from '../../../search.ts';

type Props = {
  params: Promise<{ tenant: string; environment: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const metadata: Metadata = { title: 'Operations' };

export default async function OperationsPage({ params, searchParams }: Props) {
  const scope = await readScope(params);
  const search = await readSearch(operationSearch, searchParams);
  const caller = await pageCaller();
  const page = await orNotFound(listOperations(caller, scope, search));
  return <OperationsScreen key={JSON.stringify(search)} scope={scope} search={search} initial={page} />;
}
