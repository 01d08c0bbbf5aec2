'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { pages } from '../../lib/client/addresses.ts';
import { millisOf } from '../../lib/client/time.ts';
import { nextCall } from '../../lib/client/next-call.ts';
import { operationQuestion } from '../../lib/client/questions.ts';
import { useAnswer } from '../../lib/client/use-answer.ts';
import { useKey } from '../../lib/client/use-key.ts';
import { whatHappened } from '../../lib/client/what-happened.ts';
import { toFacts } from '../../lib/shapes/facts.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { NextCallPreview } from '../case/next-call-preview.tsx';
import { DecisionList } from '../operation/decision-list.tsx';
import { Deliveries } from '../operation/deliveries.tsx';
import { OperationHeading } from '../operation/operation-heading.tsx';
import { RequestFields } from '../operation/request-fields.tsx';
import { Sentence } from '../operation/sentence.tsx';
import { TraceStrip } from '../operation/trace-strip.tsx';
import { CopyLink } from '../ui/copy-link.tsx';
import { Eyebrow } from '../ui/eyebrow.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { EventsTable } from './events-table.tsx';
import { RecordFacts } from './record-facts.tsx';
import { RecordFields } from './record-fields.tsx';

/** One operation, read only: what happened, every event, the record, what was decided. */
export function TraceScreen({ scope, initial }: { scope: Scope; initial: OperationDetail }) {
  const key = initial.record.operation_key;
  const { answer: detail } = useAnswer(operationQuestion(scope, key), initial);
  const router = useRouter();
  useKey('c', () => router.push(pages.case(scope, key)));
  useKey('escape', () => router.push(pages.operations(scope)));
  return (
    <div className="grid min-h-0 lg:h-full lg:overflow-y-auto xl:grid-cols-[minmax(0,1fr)_19.5rem] xl:overflow-hidden">
      <div className="flex min-w-0 flex-col gap-5 px-4 py-5 sm:px-6 xl:min-h-0 xl:overflow-y-auto">
        <OperationHeading detail={detail}>
          <CopyLink />
          <Link
            href={pages.case(scope, key)}
            className="flex min-h-6 items-center gap-1.5 font-semibold text-accent hover:underline"
          >
            Open as a case <Kbd>c</Kbd>
          </Link>
        </OperationHeading>
        <RecordFacts detail={detail} />
        <Sentence parts={whatHappened(detail)} />
        <TraceStrip detail={detail} />
        <section aria-labelledby="events" className="flex flex-col gap-1.5">
          <Eyebrow id="events" title="Events" />
          <EventsTable events={detail.events} isCut={detail.events_left_off} />
        </section>
        {detail.decisions.length === 0 ? null : <DecisionList scope={scope} decisions={detail.decisions} />}
        <section aria-labelledby="request" className="flex flex-col gap-1.5">
          <Eyebrow id="request" title="Request" />
          <div className="rounded-l border border-line bg-surface px-3.5 py-3">
            <RequestFields record={detail.record} />
          </div>
        </section>
        <section aria-labelledby="record" className="flex flex-col gap-1.5">
          <Eyebrow id="record" title="Record" />
          <div className="rounded-l border border-line bg-surface px-3.5 py-3">
            <RecordFields scope={scope} record={detail.record} />
          </div>
        </section>
      </div>
      <aside
        aria-label="Deliveries and the next call"
        className="flex min-h-0 flex-col gap-5 border-t border-line bg-surface px-4 py-5 xl:overflow-y-auto xl:border-s xl:border-t-0"
      >
        <section aria-labelledby="deliveries" className="flex flex-col gap-1.5">
          <Eyebrow id="deliveries" title="Deliveries" />
          <Deliveries events={detail.events} />
        </section>
        <NextCallPreview
          title="If it is delivered now"
          call={nextCall(toFacts(detail.facts), detail.record, millisOf(detail.checked_at))}
        />
      </aside>
    </div>
  );
}
