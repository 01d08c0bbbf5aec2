import type { Store } from '../index.ts';

type Method = keyof Store;
type Fault = 'lose_reply' | 'fail';

/**
 * A store that breaks on demand: `fail` does not reach the database, `lose_reply` commits and then throws, as a
 * connection does that dies between commit and answer.
 */
export type FaultyStore = Store & {
  /** The next `times` calls of this method (of this event, for a transition) meet the fault. */
  break: (method: Method, fault: Fault, times?: number, event?: string) => void;
  /** Calls so far, as `method` or `transition:event`. */
  calls: string[];
};

type Rule = { method: Method; fault: Fault; times: number; event: string | undefined };

export function faultyStore(store: Store): FaultyStore {
  const rules: Rule[] = [];
  const calls: string[] = [];
  const wrapped = Object.fromEntries(
    (Object.keys(store) as Method[]).map((method) => [
      method,
      async (...args: unknown[]) => {
        const event = method === 'transition' ? String(args[0]) : undefined;
        calls.push(event === undefined ? method : `${method}:${event}`);
        const rule = rules.find((r) => r.method === method && r.times > 0 && (r.event ?? event) === event);
        if (rule !== undefined) rule.times -= 1;
        if (rule?.fault === 'fail') throw new Error('the database is not there');
        const answer = await (store[method] as (...given: unknown[]) => Promise<unknown>)(...args);
        if (rule?.fault === 'lose_reply') throw new Error('the connection died before the reply');
        return answer;
      },
    ]),
  ) as unknown as Store;
  return {
    ...wrapped,
    calls,
    break: (method, fault, times = 1, event?) => {
      rules.push({ method, fault, times, event });
    },
  };
}
