'use client';
import { useEffect, useRef, useState } from 'react';
import { changeSince } from '../../lib/client/change-since.ts';
import { nextCallAfter } from '../../lib/client/next-call.ts';
import { useServerNow } from '../../lib/client/server-clock.ts';
import { clockTime } from '../../lib/client/time.ts';
import type { useDecide } from '../../lib/client/use-decide.ts';
import { useFormKeys, useKey } from '../../lib/client/use-key.ts';
import type { KeptDraft } from '../../lib/client/verdict-draft.ts';
import { verdictWords } from '../../lib/client/verdict-words.ts';
import { VERDICTS, type Verdict } from '../../lib/domain/states.ts';
import { allowedActions } from '../../lib/domain/verdict.ts';
import { toFacts } from '../../lib/shapes/facts.ts';
import type { OperationDetail } from '../../lib/shapes/operation-record.ts';
import type { Scope } from '../../lib/shapes/scope.ts';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import { NextCallPreview } from './next-call-preview.tsx';
import { RefusedNotice } from './refused-notice.tsx';
import { VerdictFields } from './verdict-fields.tsx';
import { VerdictOption } from './verdict-option.tsx';

type VerdictFormProps = {
  scope: Scope;
  detail: OperationDetail;
  kept: KeptDraft;
  deciding: ReturnType<typeof useDecide>;
};

/** Three verdicts, none preselected; the one that is chosen shows its fields and what the agent will get. */
export function VerdictForm({ scope, detail, kept, deciding }: VerdictFormProps) {
  const { draft, change } = kept;
  const { record } = detail;
  const facts = toFacts(detail.facts);
  const now = useServerNow();
  const judged = allowedActions(facts, detail.roles);
  const options = useRef(new Map<Verdict, HTMLButtonElement>());
  const receiptField = useRef<HTMLInputElement>(null);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const wantsField = useRef(false);
  const [isTried, setIsTried] = useState(false);

  const found =
    detail.evidence.find((item) => item.is_current && item.answer === 'found')?.effect_reference ?? '';
  const receipt = draft.receipt ?? found;
  const verdict = draft.verdict !== null && judged[draft.verdict].allowed ? draft.verdict : null;
  const needsReceipt = verdict === 'applied';
  const isReceiptMissing = needsReceipt && receipt.trim() === '';
  const isReasonMissing = draft.reason.trim() === '';
  const moved = verdict !== null && draft.version !== null ? changeSince(draft.version, detail) : null;
  const preview =
    verdict === null
      ? null
      : nextCallAfter(verdict, facts, record, {
          receipt: receipt.trim() || null,
          evidenceResponse: receipt.trim() === found ? detail.evidence_response : null,
          now,
        });

  const against = {
    version: record.version,
    evidenceId: record.evidence_id,
    evidenceAskedAt: record.evidence_asked_at,
  };
  const choose = (one: Verdict) => {
    options.current.get(one)?.focus();
    if (!judged[one].allowed) return;
    change({ verdict: one, ...against });
    wantsField.current = true;
  };
  useKey('1', () => choose('applied'));
  useKey('2', () => choose('failed_permanent'));
  useKey('3', () => choose('approved_new_key'));
  useEffect(() => {
    if (!wantsField.current || verdict === null) return;
    wantsField.current = false;
    (isReceiptMissing ? receiptField.current : reasonField.current)?.focus();
  });

  const submit = () => {
    setIsTried(true);
    if (verdict === null || moved !== null || deciding.isPending) return;
    if (isReceiptMissing) return receiptField.current?.focus();
    if (isReasonMissing) return reasonField.current?.focus();
    deciding.mutate({
      version: draft.version ?? record.version,
      verdict,
      reason: draft.reason.trim(),
      effect_reference: needsReceipt ? receipt.trim() : null,
      evidence_ids: draft.evidenceId === null ? [] : [draft.evidenceId],
    });
  };
  useFormKeys(submit, () => options.current.get(verdict ?? 'applied')?.focus());

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-col gap-3"
    >
      <h2 id="verdict" className="eyebrow">
        Verdict
      </h2>
      <div role="radiogroup" aria-labelledby="verdict" className="flex flex-col gap-2.5">
        {VERDICTS.map((one, index) => (
          <VerdictOption
            key={one}
            ref={(node) => {
              if (node) options.current.set(one, node);
            }}
            verdict={one}
            number={String(index + 1)}
            judged={judged[one]}
            isChosen={verdict === one}
            contract={detail.contract}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
      {moved === null ? null : (
        <ConflictNotice conflict={moved} against={draft.version}>
          <Button onClick={() => change(against)} className="self-start">
            I have read version {record.version}, go on
          </Button>
        </ConflictNotice>
      )}
      {deciding.isError && moved === null ? (
        <RefusedNotice
          error={deciding.error}
          against={draft.version}
          onCheck={() => deciding.reset()}
          scope={scope}
          operationKey={record.operation_key}
        />
      ) : null}
      {verdict === null ? (
        <p className="text-xs text-ink-3">
          Nothing is chosen. A verdict is recorded only after its reason is written and its button is pressed.
        </p>
      ) : (
        <>
          <VerdictFields
            verdict={verdict}
            receipt={receipt}
            isReceiptFound={found !== ''}
            reason={draft.reason}
            missing={{ receipt: isTried && isReceiptMissing, reason: isTried && isReasonMissing }}
            onChange={change}
            receiptField={receiptField}
            reasonField={reasonField}
          />
          {preview === null ? null : <NextCallPreview title="The agent’s next call gets" call={preview} />}
          <div className="sticky -bottom-5 -mx-4 -mb-5 flex flex-col gap-1.5 border-t border-line bg-surface px-4 py-3">
            <Button
              submits
              look="primary"
              aria-disabled={deciding.isPending || moved !== null}
              className="w-full"
            >
              {deciding.isPending ? 'Recording …' : `Record: ${verdictWords(verdict).record}`}
              <Kbd onAccent>⌘↵</Kbd>
            </Button>
            <p className="text-center text-xs text-ink-2">
              Against version {draft.version ?? record.version}
              {draft.evidenceAskedAt === null
                ? ', no evidence'
                : `, evidence of ${clockTime(draft.evidenceAskedAt)} UTC`}
              . Audited.
            </p>
          </div>
        </>
      )}
    </form>
  );
}
