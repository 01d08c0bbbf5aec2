import type { Metadata } from 'next';
import { NoCaseOpen } from '../../../../../components/queue/no-case-open.tsx';
import { pageCaller } from '../../../../../lib/auth/caller.ts';
import { countCases } from '../../../../../lib/services/count-cases.ts';
import { orNotFound } from '../../../or-not-found.ts';
import { readScope } from '../../../path.ts';

type Props = { params: Promise<{ tenant: string; environment: string }> };

export const metadata: Metadata = { title: 'Queue' };

export default async function QueuePage({ params }: Props) {
  const figures = await orNotFound(countCases(await pageCaller(), await readScope(params)));
  return <NoCaseOpen isEmpty={figures.open === 0} />;
}
