'use client';
import { Button } from '../components/ui/button.tsx';
import { Placard } from '../components/ui/placard.tsx';
import { Wordmark } from '../components/ui/wordmark.tsx';

/** A page that could not be shown. It never claims that what was asked did not happen. */
export function ErrorPage({ reference }: { reference: string | undefined }) {
  return (
    <main className="min-h-dvh px-6 py-7">
      <Wordmark />
      <Placard title="This page could not be shown" tone="doubt" level={1}>
        <p>
          The database may not be answering, or something went wrong here. If you had just recorded a verdict,
          its outcome is not confirmed: look at the case before you record it again.
        </p>
        {reference === undefined ? null : (
          <p className="text-sm text-ink-3">
            Logged as <code className="text-xs text-ink-2">{reference}</code>
          </p>
        )}
        <Button className="mt-2" onClick={() => window.location.reload()}>
          Show the page anew
        </Button>
      </Placard>
    </main>
  );
}
