'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { endpoints } from '../../lib/client/addresses.ts';
import { send } from '../../lib/client/ask.ts';
import { evidenceRuns } from '../../lib/client/evidence-runs.ts';
import { operationQuestion } from '../../lib/client/questions.ts';
import { refusalWords } from '../../lib/client/refusal-words.ts';
import { useKey } from '../../lib/client/use-key.ts';
import { judgeLookUp } from '../../lib/domain/verdict.ts';
import { asked } from '../../lib/shapes/decision.ts';
import { toFacts } from '../../lib/shapes/facts.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Button } from '../ui/button.tsx';
import { Eyebrow } from '../ui/eyebrow.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { AbsenceClock } from './absence-clock.tsx';
import { AskedMark } from './asked-mark.tsx';
import { EvidenceRunView } from './evidence-run-view.tsx';

/** What systems of record answered, the last asked first, and the way to ask again. A look-up settles nothing. */
export function EvidenceLedger({ scope, detail }: { scope: Scope; detail: OperationDetail }) {
  const client = useQueryClient();
  const key = detail.record.operation_key;
  const judged = judgeLookUp(toFacts(detail.facts), detail.roles);
  const asking = useMutation({
    mutationFn: () => send(endpoints.lookups(scope, key), { request_id: crypto.randomUUID() }, asked),
    onSettled: () => client.invalidateQueries({ queryKey: operationQuestion(scope, key).key }),
  });
  const isWaiting = asking.isPending || detail.question !== null;
  const lookUp = () => {
    if (judged.allowed && !isWaiting) asking.mutate();
  };
  useKey('l', lookUp);
  return (
    <section aria-labelledby="evidence" className="flex flex-col gap-1.5">
      <Eyebrow id="evidence" title="Evidence">
        <Button
          look="link"
          onClick={lookUp}
          aria-disabled={!judged.allowed || isWaiting}
          aria-describedby={judged.allowed ? undefined : 'lookup-refusal'}
          className="aria-disabled:border-0"
        >
          {detail.evidence.length === 0 ? 'Look up' : 'Look up again'} <Kbd>l</Kbd>
        </Button>
      </Eyebrow>
      {judged.allowed ? null : (
        <p id="lookup-refusal" className="text-xs text-ink-2">
          {refusalWords(judged.refusal, 'look_up')}
        </p>
      )}
      {asking.isError ? (
        <p role="alert" className="text-xs text-failed">
          Not asked: {asking.error.message}
        </p>
      ) : null}
      <div className="divide-y divide-line rounded-l border border-line bg-surface">
        {detail.question === null ? null : <AskedMark question={detail.question} />}
        {evidenceRuns(detail).map((run) => (
          <EvidenceRunView key={run.item.evidence_id} run={run} detail={detail} />
        ))}
        {detail.evidence.length === 0 && detail.question === null ? (
          <p className="px-3.5 py-3 text-ink-2">
            Nothing is known from a system of record. Until something is, this operation may have happened or
            not.
          </p>
        ) : null}
        <AbsenceClock detail={detail} />
      </div>
    </section>
  );
}
