import type { HeldAttempt } from './held-attempt.ts';
import { authorizeStep } from './authorization.ts';
import type { AttemptEnd } from './classify.ts';
import { rfc8785Text } from './identity/canonical.ts';
import type { EffectCall } from './tool.ts';
import type { Mark, World } from './world.ts';

/** What is asked immediately before the effect: nothing was sent when it ends the attempt. */
export type BeforeEffect = { marks: Mark[] } & (
  | { go: true }
  /** An unauthorized caller is told no more than that. */
  | { go: false; unauthorized: boolean; end: AttemptEnd }
);

const LATER: AttemptEnd = { event: 'release', retryAfterMs: null };
const NEVER: AttemptEnd = { event: 'refuse', reason: 'precondition_failed' };

/**
 * Asks authorization again, then the contract's preconditions, then, with no earlier attempt in doubt, the target's version. A denial or a stale target
 * releases where it may change, and refuses where it cannot. What cannot be asked sends nothing.
 */
export async function beforeEffect(
  world: World,
  { tool, context, request, record }: HeldAttempt,
  call: EffectCall<unknown>,
): Promise<BeforeEffect> {
  const authorized = await authorizeStep(world, tool, context, request, record, 'effect');
  const marks = [authorized.mark];
  if (!authorized.allowed)
    return { marks, go: false, unauthorized: true, end: authorized.permanent ? NEVER : LATER };
  const mark = (check: string, holds: boolean) =>
    marks.push({ step: 'validated', at: world.clock.now(), detail: { check, holds } });

  for (const [name, precondition] of Object.entries(tool.preconditions ?? {})) {
    try {
      const answer: { holds: unknown; permanent?: unknown } = await precondition(call);
      const holds = answer.holds === true; // nothing else that looks true permits
      mark(name, holds);
      if (!holds) {
        const end = answer.permanent === true ? NEVER : LATER;
        return { marks, go: false, unauthorized: false, end };
      }
    } catch (error) {
      world.warn(`the precondition ${name} could not be asked, so nothing is sent`, error);
      mark(name, false);
      return { marks, go: false, unauthorized: false, end: LATER };
    }
  }

  const { version_condition: condition } = tool.contract;
  if (tool.targetVersion === undefined || condition === undefined) return { marks, go: true };
  // the change may be an earlier attempt's own, and refusing would leave it in doubt: the downstream compares it itself
  if (record.doubt_attempt !== null && record.doubt_attempt < record.attempt) return { marks, go: true };
  try {
    const now = await tool.targetVersion(call);
    const expected = request.identity.material[condition];
    const holds = expected !== undefined && rfc8785Text(now) === rfc8785Text(expected);
    mark('target_version', holds);
    return holds ? { marks, go: true } : { marks, go: false, unauthorized: false, end: NEVER };
  } catch (error) {
    world.warn('the target’s version could not be read, so nothing is sent', error);
    mark('target_version', false);
    return { marks, go: false, unauthorized: false, end: LATER };
  }
}
