import type { StoredContract, StoredEvidence, StoredRow } from './stored-row.ts';

/** Found stays: only the same finding asked again later, or one of an authority, takes its place. */
export function replacesEvidence(
  row: StoredRow,
  before: StoredEvidence | undefined,
  given: StoredEvidence,
): boolean {
  if (row.evidence === null) return true;
  if (row.evidence !== 'found')
    return given.answer === 'found' || given.asked_at >= (row.evidence_asked_at ?? -Infinity);
  if (given.answer !== 'found' || before === undefined) return false;
  if (given.authoritative !== before.authoritative) return given.authoritative;
  return given.asked_at >= before.asked_at && given.effect_reference === before.effect_reference;
}

/** What an answer says against a terminal status makes it a case. */
export function contradicts(row: StoredRow, contract: StoredContract, given: StoredEvidence): boolean {
  switch (row.status) {
    case 'failed_permanent':
    case 'approved_new_key':
      return given.answer === 'found';
    case 'applied': {
      if (!given.authoritative) return false;
      if (given.answer === 'refused') return true;
      if (given.answer === 'found')
        return (
          given.effect_reference !== undefined &&
          row.effect_reference !== null &&
          given.effect_reference !== row.effect_reference
        );
      return (
        given.answer === 'absent' &&
        row.quiet_until !== null &&
        given.asked_at > row.quiet_until + contract.settle_seconds * 1000
      );
    }
    case 'pending':
    case 'unknown':
      return false;
  }
}

/**
 * Ask again after a growing pause, at once when absence can have become conclusive, and when time is over.
 * @param answers how many answers there are, this one included
 */
export function nextQuestionAt(
  row: StoredRow,
  contract: StoredContract,
  given: StoredEvidence,
  answers: number,
  at: number,
): number {
  const settled = row.quiet_until === null ? null : row.quiet_until + contract.settle_seconds * 1000;
  const next =
    given.answer === 'absent' && given.authoritative && settled !== null && given.asked_at <= settled
      ? settled
      : at + 1000 * Math.min(60, contract.backoff_seconds * 2 ** Math.min(answers - 1, 6));
  return row.recover_until !== null && row.recover_until > at ? Math.min(row.recover_until, next) : next;
}
