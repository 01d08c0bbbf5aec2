import { readIdentityRules } from './contract/identity-rules.ts';
import type { OperationContext } from './context.ts';
import { fingerprint } from './identity/fingerprint.ts';
import { InvalidArguments } from './identity/invalid-arguments.ts';
import type { OperationId, OperationRecord, Trace } from './ports.ts';
import type { Request } from './request.ts';
import type { Tool } from './tool.ts';
import { stepsOf, traceOf, type Mark, type World } from './world.ts';

/** One delivery on its way; `marks` are its steps so far. */
export interface Delivery {
  world: World;
  tool: Tool;
  context: OperationContext;
  request: Request;
  /** The arguments as they came. */
  given: unknown;
  id: OperationId;
  marks: Mark[];
  signal: AbortSignal | undefined;
  /** Until when, on this process's clock, what provably did not happen is tried again. */
  retryUntil: number;
}

/** What the transition table asks of a delivery besides the stored facts. */
export const deliveryFacts = (tool: Tool, record: OperationRecord, matches: boolean) => ({
  authorized: true,
  matches,
  consumer: false,
  lateArrival: tool.contract.late_arrival,
  storedReason: record.reason,
});

/** Same tool, and the same fingerprint under the record's own contract and fingerprint version (DESIGN §5). */
export async function isMatch(
  { world, tool, request, context }: Pick<Delivery, 'world' | 'tool' | 'request' | 'context'>,
  record: OperationRecord,
): Promise<boolean | null> {
  if (record.tool_name !== tool.contract.name || record.facts.adopted) return false;
  if (
    record.tool_version === tool.contract.version &&
    record.fingerprint_version === request.identity.fingerprintVersion
  )
    return record.request_fingerprint === request.identity.fingerprint;
  const [body] = await world.store.readContracts([{ name: record.tool_name, version: record.tool_version }]);
  if (body === undefined || body === null) return false;
  try {
    const stored = fingerprint(
      readIdentityRules(body),
      context.tenantId,
      request.args,
      record.fingerprint_version,
    );
    return stored.fingerprint === record.request_fingerprint;
  } catch (error) {
    if (error instanceof InvalidArguments) return false; // the old contract could not have taken them
    world.warn(`${record.tool_name} ${record.tool_version} cannot be read here`, error);
    return null;
  }
}

export async function readOne({
  world,
  id,
}: Pick<Delivery, 'world' | 'id'>): Promise<OperationRecord | null> {
  const [record] = await world.store.read([id]);
  return record ?? null;
}

/** A delivery that changes nothing is a row of the trace too; an answer is not withheld because the row failed. */
export async function note(
  { world, context, id, marks }: Pick<Delivery, 'world' | 'context' | 'id' | 'marks'>,
  kind: string,
  detail: { [name: string]: string } | NonNullable<Trace['detail']>,
): Promise<void> {
  const trace = traceOf(world, context);
  await world.store
    .addEvents([
      {
        ...id,
        kind,
        trace: {
          ...trace,
          steps: stepsOf(world, marks),
          detail: { ...trace.detail, ...detail, reason: detail['reason'] ?? null },
        },
      },
    ])
    .catch((error: unknown) => world.warn('a delivery was not traced', error));
}
