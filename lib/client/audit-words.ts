import { REFUSALS, type Refusal } from '../domain/verdict.ts';
import { VERDICTS, type Verdict } from '../domain/states.ts';
import type { AuditEntry } from '../shapes/audit.ts';
import { verdictWords } from './verdict-words.ts';

/** What an audit entry says, taken out of its exact content. */
export type AuditWords = {
  what: string;
  verdict: Verdict | null;
  reason: string | null;
  effectReference: string | null;
  evidenceIds: string[];
  note: string | null;
};

const WHAT: Readonly<Record<string, string>> = {
  decision: 'decided',
  decision_conflict: 'decision not recorded: the case had changed',
  decision_refused: 'decision refused',
  proposal: 'proposed to a second person',
  proposal_conflict: 'proposal not recorded: the case had changed',
  proposal_refused: 'proposal refused',
  proposal_voided: 'proposal voided',
  proposal_void_conflict: 'proposal not voided: it was not open',
  proposal_void_refused: 'voiding a proposal refused',
  proposal_approval_conflict: 'proposal not approved: it was not open, or for another version',
  proposal_approval_refused: 'approval of a proposal refused',
  approval: 'answered a request for approval',
  approval_conflict: 'answer not recorded: the request had changed',
  approval_refused: 'answer to a request for approval refused',
  lookup: 'asked for a look-up',
  lookup_refused: 'look-up refused',
  denied: 'denied',
  sign_in: 'signed in',
  sign_in_refused: 'sign-in refused',
};

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const isVerdict = (value: unknown): value is Verdict => (VERDICTS as readonly unknown[]).includes(value);
const isRefusal = (value: unknown): value is Refusal => (REFUSALS as readonly unknown[]).includes(value);

export function auditWords(entry: AuditEntry): AuditWords {
  const given = entry.body['detail'];
  const detail = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const verdict = isVerdict(detail['verdict']) ? detail['verdict'] : null;
  const what = WHAT[entry.action] ?? entry.action.replaceAll('_', ' ');
  const ids = detail['evidence_ids'];
  return {
    what: verdict === null ? what : `${what}: ${verdictWords(verdict).title}`,
    verdict,
    reason: text(detail['reason']),
    effectReference: text(detail['effect_reference']),
    evidenceIds: Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string') : [],
    note: noteOf(detail),
  };
}

/** Why it was refused or voided, who was the second person, or what was denied. */
function noteOf(detail: Record<string, unknown>): string | null {
  if (isRefusal(detail['refusal'])) return detail['refusal'].replaceAll('_', ' ');
  const person = text(detail['person']);
  if (text(detail['approver']) !== null && person !== null) return `proposed by ${person}`;
  return (text(detail['because']) ?? text(detail['action']))?.replaceAll('_', ' ') ?? null;
}

/** A name where the actor is a person we know, else the typed actor as it is stored. */
export const actorWords = (entry: Pick<AuditEntry, 'actor' | 'actor_name'>) =>
  entry.actor_name ?? entry.actor;
