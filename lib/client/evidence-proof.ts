import type { EvidenceItem, OperationDetail } from '../shapes/operation-record.ts';
import type { Tone } from './status-words.ts';

/** What one item of evidence proves, in two words, with the tone of that. */
export type Proof = { word: string; tone: Tone; isConclusive: boolean };

const conclusive = (tone: Tone): Proof => ({ word: 'conclusive', tone, isConclusive: true });
const nothing = (word: string): Proof => ({ word, tone: 'rejected', isConclusive: false });

/** Judged as `app.evidence_fact` judges the current item; an item that is not current proves what it did alone. */
export function proofOf(item: EvidenceItem, detail: OperationDetail): Proof {
  if (item.source === 'person') return nothing('said by a person');
  switch (item.answer) {
    case 'found':
      return item.authoritative
        ? conclusive('applied')
        : { word: 'no proof alone', tone: 'unknown', isConclusive: false };
    case 'absent':
      if (!item.authoritative) return nothing('proves nothing');
      if (detail.record.provider_job_id !== null) return nothing('a job is known');
      return item.asked_late_enough ? conclusive('failed') : nothing('proves nothing yet');
    case 'refused':
      if (!item.is_current) return nothing('one attempt only');
      return detail.facts.evidence === 'refused_conclusive'
        ? conclusive('failed')
        : nothing('one attempt only');
    case 'pending':
    case 'ambiguous':
    case 'failed':
      return nothing('proves nothing');
  }
}
