import type { Desk } from './desk.ts';
import { drawFaults, type FaultTarget } from './fault-rules.ts';
import { afterCommit, beforeCommit, parseFaults, type Fault } from './faults.ts';
import type { HeldAt } from './holds.ts';
import type { DeskRequest } from './receive.ts';
import { failure, type Reply } from './replies.ts';

/**
 * One request with the faults that its header names, or else that the rules draw. `deliver` handles the request
 * once and plays the faults it is given where a service would: after it took the key, before it commits.
 */
export async function exchange(
  desk: Desk,
  request: DeskRequest,
  target: FaultTarget,
  deliver: (playFaults: () => Promise<Reply | null>, faults: Fault[]) => Promise<Reply>,
): Promise<Reply> {
  const header = request.header('x-deskline-fault');
  const faults = header === null ? drawFaults(desk.db, target) : parseFaults(header);
  if (typeof faults === 'string') return failure(400, 'unknown_fault', faults);

  const playing = {
    stopping: desk.stopping,
    hold: (at: HeldAt) => desk.holds.stand({ key: target.key, at }),
  };
  const playFaults = () => beforeCommit(faults, playing);
  // As a proxy that repeats a request: the first answer reaches nobody.
  if (faults.some((fault) => fault.name === 'deliver_twice')) await deliver(playFaults, faults);
  return afterCommit(faults, await deliver(playFaults, faults), playing);
}
