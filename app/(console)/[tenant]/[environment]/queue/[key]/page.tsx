import type { Metadata } from 'next';
import { CaseScreen } from '../../../../../../components/case/case-screen.tsx';
import { pageCaller } from '../../../../../../lib/auth/caller.ts';
import { readOperation } from '../../../../../../lib/services/read-operation.ts';
import { orNotFound } from '../../../../or-not-found.ts';
import { readOperationPath } from '../../../../path.ts';

type Props = { params: Promise<{ tenant: string; environment: string; key: string }> };

export const metadata: Metadata = { title: 'Case' };

export default async function CasePage({ params }: Props) {
  const { scope, key } = await readOperationPath(params);
  const caller = await pageCaller();
  const detail = await orNotFound(readOperation(caller, scope, { operationKey: key }));
  return <CaseScreen key={key} scope={scope} initial={detail} />;
}
