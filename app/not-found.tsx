import type { Metadata } from 'next';
import Link from 'next/link';
import { Placard } from '../components/ui/placard.tsx';
import { Wordmark } from '../components/ui/wordmark.tsx';

export const metadata: Metadata = { title: 'Not found' };

/** Also what a key of a tenant that the caller has no grant for looks like. */
export default function NotFound() {
  return (
    <main className="min-h-dvh px-6 py-7">
      <Wordmark />
      <Placard title="There is nothing at this address" tone="closed" level={1}>
        <p>It may be mistyped, or belong to a tenant or environment that you have no grant for.</p>
        <Link href="/" className="font-semibold text-accent hover:underline">
          Go to the queue
        </Link>
      </Placard>
    </main>
  );
}
