/** What a number of callers did in one round. */
export interface Round {
  calls: number;
  seconds: number;
  /** Milliseconds of each call, ascending. */
  latencies: Float64Array;
}

/**
 * `concurrency` callers, each of whom makes its next call as soon as its last one is answered, for `ms` milliseconds.
 * @param call is given the number of the call, from 0 up
 */
export async function runRound(
  concurrency: number,
  ms: number,
  call: (n: number) => Promise<void>,
): Promise<Round> {
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const endAt = startedAt + ms;
  const caller = async () => {
    for (let now = performance.now(); now < endAt;) {
      await call(next++);
      const after = performance.now();
      latencies.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, caller));
  return {
    calls: latencies.length,
    seconds: (performance.now() - startedAt) / 1000,
    latencies: Float64Array.from(latencies).sort(),
  };
}

export const quantile = (ascending: Float64Array, q: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(q * ascending.length))] ?? Number.NaN;

export const median = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);
