import type { Verdict } from '../domain/states.ts';
import type { ContractView } from '../shapes/operation-record.ts';

/** What a verdict says, does, and costs when it is wrong. */
export type VerdictWords = { title: string; record: string; effect: string };

const WORDS: Record<Verdict, VerdictWords> = {
  applied: {
    title: 'It happened',
    record: 'it happened',
    effect: 'Record the receipt. The next call gets it back and nothing new runs.',
  },
  failed_permanent: {
    title: 'It did not happen',
    record: 'it did not happen',
    effect: 'Close this key as not done. The next call is told so and nothing runs.',
  },
  approved_new_key: {
    title: 'Allow a new key',
    record: 'allow a new key',
    effect: 'Close this key for good. One linked key may run once.',
  },
};

export const verdictWords = (verdict: Verdict) => WORDS[verdict];

/** What it costs if this verdict is wrong, in the contract's own words. */
export function costOfBeingWrong(verdict: Verdict, contract: ContractView | null): string {
  const cost = verdict === 'applied' ? contract?.cost_of_missing : contract?.cost_of_duplicate;
  if (cost)
    return `If wrong: ${/^[A-Z][a-z' ]/.test(cost) ? cost.charAt(0).toLowerCase() + cost.slice(1) : cost}`;
  return verdict === 'applied'
    ? 'If wrong: the effect is missing and nobody looks for it again.'
    : 'If wrong: the effect happens twice.';
}
