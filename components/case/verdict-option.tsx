'use client';
import clsx from 'clsx';
import type { Ref } from 'react';
import { refusalWords } from '../../lib/client/refusal-words.ts';
import { costOfBeingWrong, verdictWords } from '../../lib/client/verdict-words.ts';
import type { Verdict } from '../../lib/domain/states.ts';
import type { Judgement } from '../../lib/domain/verdict.ts';
import type { ContractView } from '../../lib/shapes/operation-record.ts';
import { Kbd } from '../ui/kbd.tsx';

type VerdictOptionProps = {
  verdict: Verdict;
  number: string;
  judged: Judgement;
  isChosen: boolean;
  contract: ContractView | null;
  onChoose: () => void;
  ref: Ref<HTMLButtonElement>;
};

/** One verdict: what it does and what it costs when it is wrong, or why it is not possible and who or what could. */
export function VerdictOption({
  verdict,
  number,
  judged,
  isChosen,
  contract,
  onChoose,
  ref,
}: VerdictOptionProps) {
  const words = verdictWords(verdict);
  const id = `verdict-${verdict}`;
  return (
    <button
      ref={ref}
      type="button"
      role="radio"
      aria-checked={isChosen}
      aria-disabled={!judged.allowed}
      aria-labelledby={id}
      aria-describedby={`${id}-why`}
      aria-keyshortcuts={number}
      onClick={onChoose}
      className={clsx(
        'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5 rounded-m border p-3 text-start',
        judged.allowed
          ? isChosen
            ? 'cursor-pointer border-accent bg-accent-soft/40 shadow-[inset_0_0_0_1px_var(--accent)]'
            : 'cursor-pointer border-line-strong hover:bg-canvas'
          : 'cursor-not-allowed border-dashed border-line-strong',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'mt-[2.5px] h-[13px] w-[13px] rounded-full border bg-surface',
          isChosen ? 'border-[4px] border-accent' : 'border-line-strong',
        )}
      />
      <span className="flex flex-col gap-1">
        <span id={id} className={clsx('font-semibold', !judged.allowed && 'text-ink-2')}>
          {words.title}
        </span>
        <span id={`${id}-why`} className="flex flex-col gap-1 text-xs text-ink-2">
          {judged.allowed ? (
            <>
              <span>{words.effect}</span>
              <span className="text-failed">{costOfBeingWrong(verdict, contract)}</span>
            </>
          ) : (
            <span>{refusalWords(judged.refusal, verdict)}</span>
          )}
        </span>
      </span>
      <Kbd>{number}</Kbd>
    </button>
  );
}
