import { capabilitiesOf } from '../capabilities.ts';
import type { Contract } from '../contract.ts';
import type { Draft } from '../document/load-contract.ts';

export type Decision = Contract['decision'];

/** The article's four conditions ("When should you keep a tool non-automatic?"). */
export interface Conditions {
  /** A stable logical operation can be identified: the four questions about the key are answered. */
  stable_operation: boolean;
  /** The claim is durable and unique: nothing in the document says that it is kept anywhere but in tool_operations. */
  durable_claim: boolean;
  /** An authoritative receipt can be retrieved: one is required and an authoritative lookup finds it; of an absolute effect, the target's state is the receipt. */
  authoritative_receipt: boolean;
  /** The downstream makes one effect of a repetition: by its key, or because the only effect is an absolute value, sent with a version condition. */
  downstream_deduplicates: boolean;
}

export interface DecisionFacts {
  /** False of a read, which has no effect. */
  writes: boolean;
  conditions: Conditions;
  /** Null where the contract does not say. */
  duplicateCost: 'low' | 'medium' | 'high' | null;
  /** The latest fault run of this digest passed and is young enough. */
  faultRunPassed: boolean;
  /** Errors and open decisions in the document. */
  unsettled: number;
}

/**
 * The one decision of a review: from the effect boundary, the evidence of recovery and the cost of a duplicate.
 * The first row that applies decides.
 *
 * | facts                                             | duplicate costs: low   | medium                 | high     |
 * | ------------------------------------------------- | ---------------------- | ---------------------- | -------- |
 * | an error or an open decision                      | manual                 | manual                 | manual   |
 * | a read                                            | automate               | automate               | automate |
 * | no stated cost, stable operation or durable claim | manual                 | manual                 | manual   |
 * | no passed fault run of this digest                | manual                 | manual                 | manual   |
 * | receipt retrievable and downstream deduplicates   | automate               | automate               | automate |
 * | one of the two                                    | automate_with_approval | automate_with_approval | manual   |
 * | neither                                           | automate_with_approval | manual                 | manual   |
 */
export function decide({
  writes,
  conditions,
  duplicateCost,
  faultRunPassed,
  unsettled,
}: DecisionFacts): Decision {
  if (unsettled > 0) return 'manual';
  if (!writes) return 'automate';
  if (duplicateCost === null) return 'manual';
  if (!conditions.stable_operation || !conditions.durable_claim) return 'manual';
  if (!faultRunPassed) return 'manual';
  const means = [conditions.authoritative_receipt, conditions.downstream_deduplicates].filter(Boolean).length;
  if (means === 2) return 'automate';
  const bearable = means === 1 ? ['low', 'medium'] : ['low'];
  return bearable.includes(duplicateCost) ? 'automate_with_approval' : 'manual';
}

/** What a draft says about the four conditions. */
export function conditionsOf({ stated, errors, open }: Draft): Conditions {
  const unsettled = (...paths: string[]) =>
    [...errors, ...open].some(({ path }) => paths.some((at) => path === at || path.startsWith(`${at}.`)));
  const { lookup, resend } = capabilitiesOf(stated);
  // the same state again is one effect only where nothing else comes with it
  const absolute = resend === 'absolute' && stated.effects?.length === 1;
  return {
    stable_operation: stated.operation_key !== undefined && !unsettled('operation_key'),
    durable_claim: !unsettled('claim', 'storage'),
    authoritative_receipt:
      resend === 'absolute' ||
      (stated.receipt?.required === true && lookup === 'authoritative' && !unsettled('receipt', 'lookup')),
    downstream_deduplicates:
      absolute || (stated.downstream?.deduplicates === true && !unsettled('downstream')),
  };
}

/** Why the decision is what it is, in one sentence. */
export function decisionSentence(facts: DecisionFacts): string {
  const { conditions, duplicateCost, faultRunPassed, unsettled, writes } = facts;
  if (unsettled > 0)
    return `${unsettled} finding${unsettled === 1 ? ' is' : 's are'} not settled; an unfinished contract is not automated.`;
  if (!writes) return 'It only reads.';
  if (duplicateCost === null) return 'What a duplicate costs (duplicate_cost) is not stated.';
  if (!conditions.stable_operation) return 'No stable logical operation can be identified.';
  if (!conditions.durable_claim) return 'The claim is not durable.';
  if (!faultRunPassed)
    return 'No passed fault run of this digest is known: run `npm run faults` and sign it.';
  const missing = [
    conditions.authoritative_receipt ? [] : ['no authoritative receipt can be retrieved'],
    conditions.downstream_deduplicates ? [] : ['the downstream does not deduplicate'],
  ].flat();
  if (missing.length === 0)
    return 'All four conditions hold, and the latest fault run of this digest passed.';
  const reasons = missing.join(' and ');
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}, and the cost of a duplicate is ${duplicateCost}.`;
}
