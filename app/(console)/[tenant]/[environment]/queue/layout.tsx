import type { ReactNode } from 'react';
import { QueueFrame } from '../../../../../components/queue/queue-frame.tsx';
import { QueueList } from '../../../../../components/queue/queue-list.tsx';
import { pageCaller } from '../../../../../lib/auth/caller.ts';
import { countCases } from '../../../../../lib/services/count-cases.ts';
import { listCases } from '../../../../../lib/services/list-cases.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readScope } from '../../../path.ts';

type Props = { params: Promise<{ tenant: string; environment: string }>; children: ReactNode };

/** The list stays while cases open beside it. */
export default async function QueueLayout({ params, children }: Props) {
  const scope = await readScope(params);
  const caller = await pageCaller();
  const [first, figures] = await orNotFound(
    Promise.all([listCases(caller, scope, { after: null }), countCases(caller, scope)]),
  );
  return (
    <QueueFrame list={<QueueList scope={scope} first={first} figures={figures} />}>{children}</QueueFrame>
  );
}
