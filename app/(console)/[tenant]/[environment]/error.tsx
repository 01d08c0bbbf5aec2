'use client';
import { Button } from '../../../../components/ui/button.tsx';
import { Placard } from '../../../../components/ui/placard.tsx';

type Props = { error: Error & { digest?: string }; reset: () => void };

/** Inside the frame: a screen that could not be read. Nothing is claimed about what was asked before. */
export default function ScreenError({ error, reset }: Props) {
  return (
    <Placard title="This screen could not be read" tone="doubt" level={1}>
      <p>
        The database may not be answering. If you had just recorded a verdict, its outcome is not confirmed:
        look at the case before you record it again.
      </p>
      {error.digest === undefined ? null : (
        <p className="text-sm text-ink-3">
          Logged as <code>{error.digest}</code>
        </p>
      )}
      <Button onClick={reset}>Read it anew</Button>
    </Placard>
  );
}
