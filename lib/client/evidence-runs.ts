import type { EvidenceItem, OperationDetail } from '../shapes/operation-record.ts';
import { proofOf } from './evidence-proof.ts';

/** An answer with the same answers that directly preceded it; the last asked one stands for them. */
export type EvidenceRun = { item: EvidenceItem; earlier: EvidenceItem[] };

/** A provider that is asked every few seconds says the same for long: each run of equal answers is one row. */
export function evidenceRuns(detail: OperationDetail): EvidenceRun[] {
  const runs: EvidenceRun[] = [];
  for (const item of detail.evidence) {
    const last = runs.at(-1);
    if (last && saysTheSame(last.item, item, detail)) last.earlier.push(item);
    else runs.push({ item, earlier: [] });
  }
  return runs;
}

const saysTheSame = (a: EvidenceItem, b: EvidenceItem, detail: OperationDetail) =>
  a.answer === b.answer &&
  a.source === b.source &&
  a.effect_reference === b.effect_reference &&
  a.committed_at === b.committed_at &&
  a.summary === b.summary &&
  proofOf(a, detail).word === proofOf(b, detail).word;
