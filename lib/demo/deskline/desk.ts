import type { DatabaseSync } from 'node:sqlite';
import type { Holds } from './holds.ts';

/** What one running Deskline hands to its handlers. */
export interface Desk {
  db: DatabaseSync;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborts injected waits when the service stops, so that nothing commits after that. */
  stopping: AbortSignal;
  /** Scope and key of writes that have begun and not yet committed, each with its request hash. */
  inProgress: Map<string, string>;
  /** Requests that stand still until they are released. */
  holds: Holds;
  /** Writes received of each key since the start, whatever became of them. */
  received: Map<string, number>;
  allowReset: boolean;
}
