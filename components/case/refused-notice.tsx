'use client';
import { useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Refused } from '../../lib/client/ask.ts';
import { operationQuestion } from '../../lib/client/questions.ts';
import { decisionConflict } from '../../lib/shapes/decision.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Button } from '../ui/button.tsx';
import { ConflictNotice } from './conflict-notice.tsx';

type RefusedNoticeProps = {
  error: Error;
  against: number | null;
  onCheck: () => void;
  scope: Scope;
  operationKey: string;
};

/** Why a verdict was not recorded, in the server's own words; or that nobody knows whether it was. */
export function RefusedNotice({ error, against, onCheck, scope, operationKey }: RefusedNoticeProps) {
  const client = useQueryClient();
  const check = () => {
    void client.invalidateQueries({ queryKey: operationQuestion(scope, operationKey).key }).then(onCheck);
  };
  const refused = error instanceof Refused ? error : null;
  const conflict = refused?.status === 409 ? decisionConflict.safeParse(refused.body['conflict']) : null;
  if (conflict?.success) return <ConflictNotice conflict={conflict.data} against={against} />;
  const isKnown = refused !== null && refused.status < 500;
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-1.5 rounded-m border border-failed bg-failed-soft p-3 text-ink"
    >
      <p className="font-semibold">{isKnown ? 'Not recorded' : 'Not confirmed whether it was recorded'}</p>
      <p className="text-xs">
        {refused === null ? 'The server did not answer.' : refused.message} Your text is kept.
        {refused?.requestId ? <> Request {refused.requestId}.</> : null}
      </p>
      {refused?.status === 401 ? (
        <Link href="/sign-in" className="font-semibold text-accent underline">
          Sign in again
        </Link>
      ) : null}
      {isKnown ? null : (
        <>
          <Button onClick={check}>Check outcome</Button>
          <p className="text-xs">
            Recording it once more uses the same decision id, so it cannot count twice.
          </p>
        </>
      )}
    </div>
  );
}
