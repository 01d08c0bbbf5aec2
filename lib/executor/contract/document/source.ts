/** Where something stands in a document; both start at 1. */
export interface Position {
  line: number;
  column: number;
}

/**
 * A document as it was written: plain values, each with the position of its key, or of its item in a list. `at` is
 * null where a contract was not written in a file.
 */
export type SourceNode =
  | { kind: 'map'; at: Position | null; entries: Map<string, SourceNode> }
  | { kind: 'list'; at: Position | null; inline: boolean; items: SourceNode[] }
  | { kind: 'value'; at: Position | null; value: string | number | boolean | null };
export type SourceMap = Extract<SourceNode, { kind: 'map' }>;

/** One thing that is wrong with a document, and where: the path as written there, `''` for the whole. */
export interface SourceProblem {
  path: string;
  at: Position | null;
  sentence: string;
}

export const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Plain data as a source without positions. */
export function sourceOf(value: unknown): SourceNode {
  if (Array.isArray(value)) return { kind: 'list', at: null, inline: false, items: value.map(sourceOf) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return { kind: 'map', at: null, entries: new Map(entries.map(([key, inner]) => [key, sourceOf(inner)])) };
  }
  return { kind: 'value', at: null, value: value as string | number | boolean | null };
}

/** The data of a source. */
export function plainOf(node: SourceNode): unknown {
  if (node.kind === 'value') return node.value;
  if (node.kind === 'list') return node.items.map(plainOf);
  return Object.fromEntries([...node.entries].map(([key, inner]) => [key, plainOf(inner)]));
}

/** The node at a dotted path, or undefined. Keys with a dot in them are found as they are written. */
export function nodeAt(node: SourceNode | undefined, path: string): SourceNode | undefined {
  if (node === undefined || path === '') return node;
  if (node.kind === 'value') return undefined;
  if (node.kind === 'map' && node.entries.has(path)) return node.entries.get(path);
  for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
    const found = nodeAt(child(node, path.slice(0, end)), path.slice(end + 1));
    if (found !== undefined) return found;
  }
  return child(node, path);
}

function child(node: SourceNode, key: string): SourceNode | undefined {
  if (node.kind === 'map') return node.entries.get(key);
  return node.kind === 'list' && /^\d+$/.test(key) ? node.items[Number(key)] : undefined;
}
