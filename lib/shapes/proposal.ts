import * as z from 'zod/mini';
import { DECISION_STATES, VOID_REASONS } from '../domain/states.ts';
import { decided, decideInput, decisionConflict } from './decision.ts';
import { operationPath } from './scope.ts';

/** A verdict that waits for a second person: what a decision names, under an id of its own. */
export const proposeInput = decideInput;
export type ProposeInput = z.infer<typeof proposeInput>;

/** `status` and `version` are the operation's, which a proposal does not change. */
export const proposed = z.object({
  outcome: z.enum(['proposed', 'repeated']),
  state: z.enum(DECISION_STATES),
  version: z.int(),
  audit_sequence: z.nullable(z.int()),
});
export type Proposed = z.infer<typeof proposed>;

/** The path of one proposal. */
export const proposalPath = z.extend(operationPath, { decision: z.uuid() });

const reason = z.string().check(z.trim(), z.minLength(1, 'A reason is required.'), z.maxLength(4000));

/** The second person says yes to exactly this proposal, for the version that it was made for. */
export const approveProposalInput = z.strictObject({ version: z.int().check(z.minimum(1)), reason });
export type ApproveProposalInput = z.infer<typeof approveProposalInput>;

/** What was carried out. */
export const proposalApproved = decided;
export type ProposalApproved = z.infer<typeof proposalApproved>;

export const voidProposalInput = z.strictObject({ reason });
export type VoidProposalInput = z.infer<typeof voidProposalInput>;

export const proposalVoided = z.object({
  outcome: z.enum(['voided', 'repeated']),
  voided_because: z.enum(VOID_REASONS),
});
export type ProposalVoided = z.infer<typeof proposalVoided>;

/** Why an answer to a proposal was not taken: what the proposal is by now, and who changed the operation. */
export const proposalConflict = z.extend(decisionConflict, {
  state: z.enum(DECISION_STATES),
  voided_because: z.nullish(z.enum(VOID_REASONS)),
});
