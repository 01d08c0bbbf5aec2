import type { Metadata } from 'next';
import { NoCaseOpen } from '../../../../../components/queue/no-case-open.tsx';

export const metadata: Metadata = { title: 'Queue' };

export default function QueuePage() {
  return <NoCaseOpen />;
}
