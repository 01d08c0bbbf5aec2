/** One key of a screen: what it types, and what it does. */
export type KeyEntry = { keys: string[]; does: string; short: string; inBar: boolean };

const key = (keys: string[], short: string, does: string, inBar = false): KeyEntry => ({
  keys,
  short,
  does,
  inBar,
});

const EVERYWHERE = [
  key(['/'], 'find', 'Find a key, receipt, fingerprint or trace'),
  key(['g', 'q'], 'queue', 'Go to the queue'),
  key(['g', 'o'], 'operations', 'Go to the operations'),
  key(['g', 'a'], 'audit', 'Go to the audit log'),
  key(['?'], 'all keys', 'Show all keys', true),
];

const LIST = [
  key(['j', 'k'], 'move', 'Move down and up the list', true),
  key(['↵'], 'open', 'Open the row', true),
];

const CASE = [
  key(['l'], 'look up', 'Ask the system of record', true),
  key(['1', '2', '3'], 'verdict', 'It happened, it did not happen, allow a new key', true),
  key(['⌘', '↵'], 'record', 'Record the verdict, from any of its fields'),
  key(['t'], 'trace', 'Open the trace', true),
  key(['y'], 'copy link', 'Copy the link to this page', true),
  key(['esc'], 'close', 'Leave the field, then the case'),
];

const TRACE = [
  key(['y'], 'copy link', 'Copy the link to this page', true),
  key(['c'], 'case', 'Open it as a case', true),
];

/** The keys that the screen at these path segments has; the same table feeds the bar and the help. */
export function keysOf([room, selected]: readonly string[]): KeyEntry[] {
  if (room === 'queue') return [...LIST, ...(selected === undefined ? [] : CASE), ...EVERYWHERE];
  if (room === 'operations') return [...(selected === undefined ? LIST : TRACE), ...EVERYWHERE];
  if (room === 'audit') return [...LIST, ...EVERYWHERE];
  return EVERYWHERE;
}
