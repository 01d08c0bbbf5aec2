/** The processes of the simulation: two that deliver, two that reconcile, one that recovers. */
export const WORKERS = ['worker-a', 'worker-b'] as const;
export const RECONCILERS = ['reconciler-a', 'reconciler-b'] as const;
export const RECOVERER = 'recoverer';
export const ACTORS = [...WORKERS, ...RECONCILERS, RECOVERER] as const;
export type Actor = (typeof ACTORS)[number];
