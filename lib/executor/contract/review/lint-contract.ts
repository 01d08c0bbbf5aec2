import { SIGNING_ROLES } from '../contract-parts.ts';
import type { Draft, Finding } from '../document/load-contract.ts';
import { conditionsOf, decide, decisionSentence, type Conditions, type Decision } from './decision.ts';
import { objectionTo, signedRunStands, type FaultRun } from './fault-run.ts';
import { risksOf, type Risk } from './risks.ts';
import { worksheetOf, type WorksheetRow } from './worksheet.ts';

/** A review of one contract: the JSON of `npm run contracts -- lint`. */
export interface Review {
  file: string;
  tool: string | null;
  version: string | null;
  /** Null while anything is wrong or open. */
  digest: string | null;
  errors: Finding[];
  /** Decisions that nobody took yet. */
  open: Finding[];
  worksheet: WorksheetRow[];
  risks: (Risk & { line: number | null })[];
  conditions: Conditions;
  /** What the review allows. */
  decision: Decision;
  decision_because: string;
  /** What the document says, and `execute` obeys. */
  stated_decision: Decision | null;
}

const ORDER: readonly Decision[] = ['manual', 'automate_with_approval', 'automate'];

/**
 * Reviews a draft. `now` is milliseconds since the epoch; `run` is the latest fault run, where one is at hand: without
 * one, a sign-off of this digest stands for the run that it was given on.
 */
export function lintContract(draft: Draft, { now, run }: { now: number; run?: FaultRun }): Review {
  const { stated, contract, digest, place } = draft;
  const facts = {
    writes: stated.effect_class !== 'read',
    conditions: conditionsOf(draft),
    duplicateCost: stated.duplicate_cost ?? null,
    faultRunPassed:
      contract !== null &&
      digest !== null &&
      (run === undefined
        ? signedRunStands(contract, digest, now)
        : objectionTo(run, contract, digest, now) === null),
    unsettled: draft.errors.length + draft.open.length,
  };
  const decision = decide(facts);
  const risks = [...risksOf(stated), ...reviewRisks(draft, decision, now)];
  return {
    file: draft.file,
    tool: stated.name ?? null,
    version: stated.version ?? null,
    digest,
    errors: [...draft.errors, ...decisionErrors(draft)],
    open: draft.open,
    worksheet: draft.readable ? worksheetOf(draft) : [],
    risks: risks.map((risk) => ({ ...risk, line: place(risk.path)?.line ?? null })),
    conditions: facts.conditions,
    decision,
    decision_because: decisionSentence(facts),
    stated_decision: stated.decision ?? null,
  };
}

/** What forbids the decision that the document states: an open decision, or a sign-off of another digest. */
function decisionErrors(draft: Draft): Finding[] {
  const { stated, open, place } = draft;
  const refuse = (path: string, message: string): Finding => {
    const at = place(path);
    return { path, line: at?.line ?? null, column: at?.column ?? null, message };
  };
  if (stated.decision === 'automate' && open.length > 0)
    return [
      refuse(
        'decision',
        `${open.length} decision${open.length === 1 ? ' is' : 's are'} open: it cannot be automate; write manual until they are taken.`,
      ),
    ];
  if (stated.decision === undefined || stated.decision === 'manual') return [];
  return lapsedRoles(draft).map((role) =>
    refuse(
      `signoffs.${role}`,
      `${role} signed another digest, and what bears on effects was changed since: sign again, or write decision: manual until then.`,
    ),
  );
}

function lapsedRoles({ stated, digest }: Draft): (typeof SIGNING_ROLES)[number][] {
  return SIGNING_ROLES.filter((role) => {
    const signed = stated.signoffs?.[role]?.digest;
    return signed !== undefined && digest !== null && signed !== digest;
  });
}

function* reviewRisks(draft: Draft, decision: Decision, now: number): Generator<Risk> {
  const { stated, contract } = draft;
  const said = stated.decision;
  if (said !== undefined && contract !== null && ORDER.indexOf(said) > ORDER.indexOf(decision)) {
    yield {
      risk: 'decision_not_earned',
      path: 'decision',
      message: `The contract says ${said}, but this review allows no more than ${decision}.`,
    };
  }
  const today = new Date(now).toISOString().slice(0, 10);
  if (stated.next_review !== undefined && stated.next_review < today) {
    yield {
      risk: 'review_overdue',
      path: 'next_review',
      message: `It was to be reviewed on ${stated.next_review}.`,
    };
  }
  for (const role of stated.decision === 'manual' ? lapsedRoles(draft) : []) {
    yield {
      risk: 'signoff_lapsed',
      path: `signoffs.${role}`,
      message: `${role} signed another digest; what bears on effects was changed since. Sign again.`,
    };
  }
}
