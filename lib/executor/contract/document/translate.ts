import { ALIASES, type Alias } from './aliases.ts';
import { isOneBracket } from './placeholders.ts';
import { nodeAt, type Position, type SourceMap, type SourceNode, type SourceProblem } from './source.ts';

/** A question that the document leaves unanswered: no operation is automated before it is. */
export interface OpenQuestion {
  path: string;
  at: Position | null;
  question: string;
}

/**
 * Reads a document's other words as the contract's own, by the alias table. Changes `root`; what stands where is
 * still told by the positions of the values. A stated value of the contract answers what an alias leaves open.
 */
export function translate(root: SourceMap): { problems: SourceProblem[]; open: OpenQuestion[] } {
  const problems: SourceProblem[] = [];
  const open: OpenQuestion[] = [];
  for (const alias of ALIASES) {
    const node = take(root, alias.from);
    if (node === undefined) continue;
    const reading = isNothing(node) && alias.to !== null ? { value: node } : alias.read(node);
    if (reading === 'kept_by_the_executor') continue;
    if ('wrong' in reading && alias.to === null && isOneBracket(node))
      open.push({ path: alias.from, at: node.at, question: reading.wrong });
    else if ('wrong' in reading) problems.push({ path: alias.from, at: node.at, sentence: reading.wrong });
    else if ('open' in reading) {
      if (nodeAt(root, targetOf(alias)) === undefined)
        open.push({ path: targetOf(alias), at: node.at, question: reading.open });
    } else if (!put(root, targetOf(alias), reading.value))
      problems.push({
        path: alias.from,
        at: node.at,
        sentence: `It says what ${targetOf(alias)} says too; keep that one and remove this.`,
      });
  }
  return { problems, open };
}

const targetOf = (alias: Alias): string => alias.to ?? alias.from;
const isNothing = (node: SourceNode): boolean => node.kind === 'value' && node.value === null;

/** Takes a node out, and with it the map that it leaves empty where that is no field of a contract. */
function take(root: SourceMap, path: string): SourceNode | undefined {
  const [first = '', second] = path.split('.');
  const outer = root.entries.get(first);
  if (second === undefined) {
    root.entries.delete(first);
    return outer;
  }
  if (outer?.kind !== 'map') return undefined;
  const inner = outer.entries.get(second);
  if (inner !== undefined) outer.entries.delete(second);
  if (outer.entries.size === 0 && ALIASES.every(({ to }) => to?.split('.')[0] !== first))
    root.entries.delete(first);
  return inner;
}

function put(root: SourceMap, path: string, node: SourceNode): boolean {
  const [first = '', second] = path.split('.');
  if (second === undefined) {
    if (root.entries.has(first)) return false;
    root.entries.set(first, node);
    return true;
  }
  const outer = root.entries.get(first) ?? {
    kind: 'map',
    at: node.at,
    entries: new Map<string, SourceNode>(),
  };
  if (outer.kind !== 'map' || outer.entries.has(second)) return false;
  outer.entries.set(second, node);
  root.entries.set(first, outer);
  return true;
}
