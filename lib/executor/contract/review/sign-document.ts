import { SIGNING_ROLES } from '../contract-parts.ts';
import { setInDocument } from '../document/edit-document.ts';
import { loadContract } from '../document/load-contract.ts';
import type { Decision } from './decision.ts';
import { objectionTo, type FaultRun } from './fault-run.ts';
import { lintContract } from './lint-contract.ts';

export type SigningRole = (typeof SIGNING_ROLES)[number];

export interface Signature {
  role: SigningRole;
  person: string;
  run: FaultRun;
  /** Milliseconds since the epoch. */
  now: number;
}

export type SignedDocument =
  | { refused: string[] }
  | {
      /** The document with the sign-off, and with the decision once all three roles have signed its digest. */
      text: string;
      decision: Decision | null;
      /** Who has still to sign this digest. */
      missing: SigningRole[];
    };

/**
 * Writes a sign-off into a contract's document, keeping its comments and its order: person, day, the day of the fault
 * run and the digest. When all three roles have signed the same digest, the review's decision is written too. Refused:
 * a document with an error or an open decision, and a run that does not prove this digest (another tool or digest,
 * too old, a failed or missing row).
 */
export function signDocument(text: string, file: string, signature: Signature): SignedDocument {
  const { role, person, run, now } = signature;
  const draft = loadContract(text, file);
  const { contract, digest } = draft;
  if (contract === null || digest === null)
    return {
      refused: [...draft.errors, ...draft.open].map(
        ({ path, line, message }) => `line ${line ?? '–'}, ${path}: ${message}`,
      ),
    };
  const objection = objectionTo(run, contract, digest, now);
  if (objection !== null) return { refused: [objection] };

  const signoff = { person, date: dayOf(now), run_on: dayOf(Date.parse(run.started_at)), digest };
  const signed = setInDocument(text, ['signoffs', role], signoff);
  const missing = SIGNING_ROLES.filter(
    (other) => other !== role && contract.signoffs?.[other]?.digest !== digest,
  );
  if (missing.length > 0) return checked(signed, file, { decision: null, missing });
  const { decision } = lintContract(loadContract(signed, file), { now, run });
  return checked(setInDocument(signed, ['decision'], decision), file, { decision, missing });
}

/** What was written is read again: a decision may ask for a field that is not there yet. */
function checked(
  text: string,
  file: string,
  rest: { decision: Decision | null; missing: SigningRole[] },
): SignedDocument {
  const { errors, open } = loadContract(text, file);
  const refused = [...errors, ...open].map(
    ({ path, message }) =>
      `With ${rest.decision === null ? 'this sign-off' : `the decision ${rest.decision}`}, ${path}: ${message}`,
  );
  return refused.length > 0 ? { refused } : { text, ...rest };
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
