import { join, type SourceMap, type SourceNode } from './source.ts';

const PLACEHOLDER = /^\s*(?:\[[^[\]]*\]|<[^<>]*>|TODO|TBD|\?+)?\s*$/i;
/** Values that are data of the tool's requests and may look like anything. */
const DATA = /(?:^|\.)(?:default|any_of)$/;

/** Whether a list is what YAML makes of a bracketed value that was not replaced: `[team or person]`. */
export const isBracketed = (node: SourceNode | undefined): boolean =>
  node?.kind === 'list' &&
  node.inline &&
  node.items.length > 0 &&
  node.items.every((item) => item.kind === 'value' && typeof item.value === 'string');

/** The same where a list of several values may be an answer. */
export const isOneBracket = (node: SourceNode): boolean =>
  isBracketed(node) && node.kind === 'list' && node.items.length === 1;

/** Whether a text is a sentence where a value is asked for. */
export const isProse = (node: SourceNode | undefined): boolean =>
  node?.kind === 'value' && typeof node.value === 'string' && /\S\s+\S/.test(node.value);

/** Takes every field out that nobody filled in (nothing, `[date]`, `<team>`, `TODO`), and gives their paths. */
export function takePlaceholders(node: SourceMap, path = ''): { path: string; node: SourceNode }[] {
  return [...node.entries].flatMap(([key, inner]) => {
    const here = join(path, key);
    if (DATA.test(here)) return [];
    if (inner.kind === 'map') return takePlaceholders(inner, here);
    const unfilled = inner.kind === 'list' ? inner.items.some(isPlaceholder) : isPlaceholder(inner);
    if (!unfilled) return [];
    node.entries.delete(key);
    return [{ path: here, node: inner }];
  });
}

function isPlaceholder(node: SourceNode): boolean {
  if (node.kind === 'list') return isBracketed(node);
  return (
    node.kind === 'value' &&
    (node.value === null || (typeof node.value === 'string' && PLACEHOLDER.test(node.value)))
  );
}
