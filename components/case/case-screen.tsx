'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { pages } from '../../lib/client/addresses.ts';
import { operationQuestion } from '../../lib/client/questions.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import { useKey } from '../../lib/client/use-key.ts';
import { whatHappened } from '../../lib/client/what-happened.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { DecisionList } from '../operation/decision-list.tsx';
import { Deliveries } from '../operation/deliveries.tsx';
import { OperationHeading } from '../operation/operation-heading.tsx';
import { RequestFields } from '../operation/request-fields.tsx';
import { Sentence } from '../operation/sentence.tsx';
import { TraceStrip } from '../operation/trace-strip.tsx';
import { CopyLink } from '../ui/copy-link.tsx';
import { Eyebrow } from '../ui/eyebrow.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { EvidenceLedger } from './evidence-ledger.tsx';
import { LastVerdictNotice } from './last-verdict-notice.tsx';
import { VerdictPanel } from './verdict-panel.tsx';

const CARD = 'rounded-l border border-line bg-surface px-3.5 py-3';

/** One case: the facts on the left, the verdict on the right. */
export function CaseScreen({ scope, initial }: { scope: Scope; initial: OperationDetail }) {
  const key = initial.record.operation_key;
  const { answer: detail } = useAnswer(operationQuestion(scope, key), initial);
  const router = useRouter();
  useKey('t', () => router.push(pages.operation(scope, key)));
  useKey('escape', () => router.push(pages.queue(scope)));
  return (
    <div className="grid min-h-0 lg:h-full lg:overflow-y-auto xl:grid-cols-[minmax(0,1fr)_21.5rem] xl:overflow-hidden">
      <div className="flex min-w-0 flex-col gap-5 px-4 py-5 sm:px-6 xl:min-h-0 xl:overflow-y-auto">
        <Link href={pages.queue(scope)} className="font-semibold text-accent hover:underline lg:hidden">
          Back to the queue
        </Link>
        <LastVerdictNotice current={key} />
        <OperationHeading detail={detail} />
        <Sentence parts={whatHappened(detail)} />
        <section aria-labelledby="trace" className="flex flex-col gap-1.5">
          <Eyebrow id="trace" title="Trace">
            <span className="flex items-center gap-3">
              <CopyLink />
              <Link
                href={pages.operation(scope, key)}
                className="flex min-h-6 items-center gap-1.5 font-semibold text-accent hover:underline"
              >
                Open trace <Kbd>t</Kbd>
              </Link>
            </span>
          </Eyebrow>
          <TraceStrip detail={detail} />
        </section>
        <EvidenceLedger scope={scope} detail={detail} />
        <div className="grid gap-4 md:grid-cols-2">
          <section aria-labelledby="request" className="flex flex-col gap-1.5">
            <Eyebrow id="request" title="Request" />
            <div className={CARD}>
              <RequestFields record={detail.record} />
            </div>
          </section>
          <section aria-labelledby="deliveries" className="flex flex-col gap-1.5">
            <Eyebrow id="deliveries" title="Deliveries" />
            <div className={CARD}>
              <Deliveries events={detail.events} last={6} />
            </div>
          </section>
        </div>
        {detail.decisions.length === 0 ? null : <DecisionList scope={scope} decisions={detail.decisions} />}
      </div>
      <VerdictPanel key={key} scope={scope} detail={detail} />
    </div>
  );
}
