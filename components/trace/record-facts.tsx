import type { ReactNode } from 'react';
import { deliveriesOf } from '../../lib/client/deliveries.ts';
import { calendarDay, clockTime, millisOf, span } from '../../lib/client/time.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import { KeyText } from '../ui/key-text.tsx';

/** The five facts that on-call looks for first. */
export function RecordFacts({ detail }: { detail: OperationDetail }) {
  const { record, events, decisions } = detail;
  const deliveries = deliveriesOf(events).length;
  const decision = decisions.find((one) => record.resolved_by === `decision:${one.decision_id}`);
  const doubted = events.find((event) => event.kind === 'doubt' || event.kind === 'expire');
  const isOpen = record.status === 'pending' || record.status === 'unknown';
  const until = isOpen ? detail.checked_at : record.updated_at;
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-3">
      <Fact name="effect reference">
        {record.effect_reference === null ? 'no receipt' : <KeyText text={record.effect_reference} />}
      </Fact>
      <Fact name="resolved by">{decision?.decided_by_name ?? record.resolved_by ?? 'nobody yet'}</Fact>
      <Fact name="the same call">
        {record.attempt} {record.attempt === 1 ? 'attempt' : 'attempts'}, {deliveries}{' '}
        {deliveries === 1 ? 'delivery' : 'deliveries'}
      </Fact>
      <Fact name="in doubt">
        {doubted && record.first_sent_at !== null
          ? span(millisOf(until) - millisOf(record.first_sent_at))
          : 'never'}
      </Fact>
      <Fact name="contract">
        {record.tool_version}
        {record.effect_class === null ? null : `, ${record.effect_class}`}
      </Fact>
      <Fact name="kept until">
        {record.expires_at === null
          ? 'it is resolved'
          : `${calendarDay(record.expires_at, millisOf(detail.checked_at))} ${clockTime(record.expires_at)} UTC`}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}
