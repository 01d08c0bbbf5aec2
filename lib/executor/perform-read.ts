import type { Outcome } from '../domain/outcome.ts';
import { authorizeStep } from './authorization.ts';
import { note, type Delivery } from './delivery.ts';
import type { PlainJson } from './identity/plain-json.ts';
import { replayableResult } from './classify.ts';
import { bareOutcome } from './outcome-of.ts';

/**
 * A read has no effect to record: no claim, and it may be repeated freely. The reading itself is a row of the trace where
 * the contract says so.
 */
export async function performRead(delivery: Delivery): Promise<Outcome> {
  const { world, tool, context, request, id, marks } = delivery;
  const { contract } = tool;
  const authorized = await authorizeStep(world, tool, context, request, { ...id, attempt: 1 }, 'effect');
  marks.push(authorized.mark);
  if (!authorized.allowed) {
    await note(delivery, 'rejected', { reason: 'unauthorized' });
    return bareOutcome(id.operation_key, 'rejected', 'unauthorized', 'none');
  }
  const budget = new AbortController();
  const stop = world.clock.after(contract.downstream.call_budget_ms, () =>
    budget.abort(new Error('call budget is over')),
  );
  try {
    const answer = await Promise.race([
      tool.effect({
        arguments: request.args,
        tenantId: context.tenantId,
        environment: context.environment,
        downstreamKey: id.operation_key,
        requestId: world.random.uuid(),
        attempt: 1,
        signal: budget.signal,
      }),
      aborted(budget.signal),
    ]);
    if (answer.kind === 'refused') return await rejected(delivery, 'refused');
    if (answer.kind !== 'done') return await rejected(delivery, 'not_sent');
    if (contract.audit_on_read === true) await note(delivery, 'read', {});
    return readOutcome(id.operation_key, replayableResult(contract, answer.answer));
  } catch (error) {
    world.warn(`reading with ${contract.name} failed`, error);
    return await rejected(delivery, 'not_sent');
  } finally {
    stop();
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const readOutcome = (key: string, result: PlainJson): Outcome => ({
  ...bareOutcome(key, 'applied', null, 'none'),
  instruction: 'This is what was read. Reading again changes nothing.',
  result,
  attempt: 1,
  safe_to_repeat: true,
});

async function rejected(delivery: Delivery, reason: 'refused' | 'not_sent'): Promise<Outcome> {
  await note(delivery, 'rejected', { reason });
  const again = reason === 'not_sent';
  return {
    ...bareOutcome(delivery.id.operation_key, 'rejected', reason, again ? 'retry_later' : 'none'),
    attempt: 1,
    safe_to_repeat: again,
  };
}
