'use client';
import type { Ref } from 'react';
import type { VerdictDraft } from '../../lib/client/verdict-draft.ts';
import type { Verdict } from '../../lib/domain/states.ts';
import { TextArea, TextField } from '../ui/text-field.tsx';

type VerdictFieldsProps = {
  verdict: Verdict;
  receipt: string;
  isReceiptFound: boolean;
  reason: string;
  missing: { receipt: boolean; reason: boolean };
  onChange: (part: Partial<VerdictDraft>) => void;
  receiptField: Ref<HTMLInputElement>;
  reasonField: Ref<HTMLTextAreaElement>;
};

/** What a verdict needs besides itself: a reason always, a receipt where it says that it happened. */
export function VerdictFields({
  verdict,
  receipt,
  isReceiptFound,
  reason,
  missing,
  onChange,
  receiptField,
  reasonField,
}: VerdictFieldsProps) {
  return (
    <>
      {verdict === 'applied' ? (
        <TextField
          ref={receiptField}
          label="Receipt"
          hint={
            isReceiptFound
              ? 'Taken from the evidence; change it only if you know better.'
              : 'The downstream id that proves it.'
          }
          value={receipt}
          onChange={(value) => onChange({ receipt: value })}
          error={
            missing.receipt ? 'A receipt is required: without one nothing proves that it happened.' : null
          }
          isCode
        />
      ) : null}
      <TextArea
        ref={reasonField}
        label="Reason"
        hint="For the audit log. Others will read it."
        value={reason}
        onChange={(value) => onChange({ reason: value })}
        error={missing.reason ? 'A reason is required.' : null}
      />
    </>
  );
}
