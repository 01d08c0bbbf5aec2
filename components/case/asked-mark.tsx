'use client';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { duration, millisOf } from '../../lib/client/time.ts';
import type { OpenQuestion } from '../../lib/shapes/operation-record.ts';
import { MarkIcon } from '../ui/mark-icon.tsx';

const LONG_MS = 30_000;

/** A question that waits for its answer. It is answered by the application's workers, so they must be running. */
export function AskedMark({ question }: { question: OpenQuestion }) {
  const now = useServerNow();
  const waited = now - millisOf(question.asked_at);
  return (
    <div role="status" className="flex gap-2.5 px-3.5 py-3">
      <MarkIcon shape="quarter" tone="inflight" className="mt-px" />
      <p className="min-w-0">
        <strong className="font-semibold">Asked</strong> {duration(waited)} ago by{' '}
        <bdi>{question.asked_by}</bdi>. The application’s reconciler answers.
        {waited > LONG_MS ? (
          <span className="block text-unknown">
            Not answered yet. Check that a worker which holds this tool is running.
          </span>
        ) : null}
      </p>
    </div>
  );
}
