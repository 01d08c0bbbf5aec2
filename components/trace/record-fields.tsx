import Link from 'next/link';
import { pages } from '../../lib/client/addresses.ts';
import type { OperationRecord } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Field, FieldList } from '../operation/field-list.tsx';
import { Instant } from '../ui/instant.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** In the order in which an operation lives; what is not set is not listed. */
const TEXTS = [
  'tool_name',
  'tool_version',
  'contract_digest',
  'request_fingerprint',
  'connector',
  'deploy',
  'workflow_id',
  'step_id',
  'intent_event',
  'business_reference',
  'actor',
  'trace_id',
  'downstream_key',
  'downstream_request_id',
  'provider_job_id',
  'lease_owner',
  'effect_reference',
  'delivery_state',
  'resolved_by',
  'reason',
] as const satisfies (keyof OperationRecord)[];

const TIMES = [
  'created_at',
  'first_sent_at',
  'sent_at',
  'quiet_until',
  'attempt_ended_at',
  'lease_until',
  'next_attempt_at',
  'recover_until',
  'evidence_asked_at',
  'case_at',
  'response_due_at',
  'contradicted_at',
  'updated_at',
  'expires_at',
  'tombstoned_at',
] as const satisfies (keyof OperationRecord)[];

/** The columns of the record, as they are stored. */
export function RecordFields({ scope, record }: { scope: Scope; record: OperationRecord }) {
  return (
    <div className="grid gap-x-10 gap-y-1.5 md:grid-cols-2">
      <FieldList hasLongNames>
        {TEXTS.map((name) => {
          const value = record[name];
          return value === null ? null : (
            <Field key={name} name={name}>
              <span className="font-mono text-xs">
                <VisibleText text={value} limit={300} />
              </span>
            </Field>
          );
        })}
        {(['supersedes_key', 'successor_key'] as const).map((name) => {
          const key = record[name];
          return key === null ? null : (
            <Field key={name} name={name}>
              <Link
                href={pages.operation(scope, key)}
                className="text-xs font-semibold text-accent hover:underline"
              >
                <KeyText text={key} />
              </Link>
            </Field>
          );
        })}
      </FieldList>
      <FieldList hasLongNames>
        {(['version', 'attempt', 'sent_attempt', 'doubt_attempt'] as const).map((name) => (
          <Field key={name} name={name}>
            {record[name] ?? 'none'}
          </Field>
        ))}
        {TIMES.map((name) => {
          const at = record[name];
          return at === null ? null : (
            <Field key={name} name={name}>
              <Instant at={at} precise zone />
            </Field>
          );
        })}
      </FieldList>
    </div>
  );
}
