import type { OperationRecord } from '../../lib/shapes/operation-record.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { KeyText } from '../ui/key-text.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { Field, FieldList } from './field-list.tsx';

const MANY = 40;

/** `sha256:9f2c41aa…c3d4`: enough to compare by eye; the whole is copied, and on the trace page. */
const midCut = (text: string) => (text.length > 24 ? `${text.slice(0, 15)}…${text.slice(-4)}` : text);

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The material fields as people may see them, and the fingerprint that stands for all of them. */
export function RequestFields({ record }: { record: OperationRecord }) {
  const { request_redacted: request } = record;
  const fields =
    typeof request === 'object' && request !== null && !Array.isArray(request) ? Object.entries(request) : [];
  return (
    <FieldList>
      {fields.slice(0, MANY).map(([name, value]) => (
        <Field key={name} name={name}>
          <span className="font-mono text-xs">
            <VisibleText text={asText(value)} limit={300} />
          </span>
        </Field>
      ))}
      {fields.length > MANY ? <Field name="…">{fields.length - MANY} more fields</Field> : null}
      {fields.length === 0 ? <Field name="request">not kept</Field> : null}
      <Field name="fingerprint">
        <span className="flex items-start gap-1 text-xs">
          <span className="min-w-0" title={record.request_fingerprint}>
            <KeyText text={midCut(record.request_fingerprint)} />
          </span>
          <CopyButton text={record.request_fingerprint} what="fingerprint" />
        </span>
      </Field>
    </FieldList>
  );
}
