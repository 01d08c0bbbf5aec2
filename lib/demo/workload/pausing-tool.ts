import { setTimeout as sleep } from 'node:timers/promises';
import { NotSent, type Tool } from '../../executor/index.ts';
import type { Boundary } from './plan/step.ts';

/** Long enough that the request has left, short of the delay that Deskline plays on it. */
const UNDER_WAY_MS = 100;

/**
 * The tool with an effect that stands still where `pauseAt` says and tells `reached`, so that its worker can be
 * killed exactly there. Where nobody kills it, it goes on when its budget is over.
 */
export function pausingTool<Args>(
  tool: Tool<Args>,
  pauseAt: (key: string) => Boundary | undefined,
  reached: (key: string, at: Boundary) => void,
): Tool<Args> {
  return {
    ...tool,
    effect: async (call) => {
      const key = call.downstreamKey;
      const at = pauseAt(key);
      switch (at) {
        case undefined:
          return await tool.effect(call);
        case 'before_the_wire':
          reached(key, at);
          await aborted(call.signal);
          throw new NotSent('the worker stood still before the request');
        case 'on_the_wire': {
          const answer = tool.effect(call);
          answer.catch(() => {}); // awaited below
          await sleep(UNDER_WAY_MS);
          reached(key, at);
          await aborted(call.signal);
          return await answer;
        }
        case 'before_the_record': {
          const answer = await tool.effect(call);
          reached(key, at);
          await aborted(call.signal);
          return answer;
        }
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
