import { Document, isMap, isScalar, parseDocument, type Pair, type ParsedNode, type YAMLMap } from 'yaml';

/**
 * Sets one value in the text of a YAML or JSON document, at a path of keys, and leaves every other line as it is:
 * order, comments and quotes. A top-level key that is missing is written at the end.
 */
export function setInDocument(text: string, path: readonly [string, ...string[]], value: unknown): string {
  if (isJson(text)) return setInJson(text, path, value);
  const document = parseDocument(text, { schema: 'core' });
  const [key] = path;
  const before = pairOf(document.contents, key);
  const from = before?.key.range[0];
  const to = before?.value?.range[1];
  // the value alone, so that the comment behind it stays
  if (path.length === 1 && isScalar(before?.value) && to !== undefined)
    return text.slice(0, before.value.range[0]) + String(value) + text.slice(to);
  document.setIn(path, document.createNode(value));
  const written = textOf(document, key);
  if (from === undefined || to === undefined) return `${text.replace(/\n*$/, '')}\n${written}`;
  const behind = text.slice(to);
  return text.slice(0, from) + written.trimEnd() + (/^\s*\n/.test(behind) ? '' : '\n') + behind;
}

function pairOf(contents: unknown, key: string): Pair<ParsedNode, ParsedNode | null> | undefined {
  if (!isMap(contents) || contents.flow === true)
    throw new TypeError('Only a map in block style can be edited; write the document over several lines.');
  const map = contents as YAMLMap<ParsedNode, ParsedNode | null>;
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** One top-level key of a document with all below it. */
function textOf(document: Document, key: string): string {
  const alone = new Document({});
  alone.setIn([key], document.get(key, true));
  return alone.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

type Json = { [key: string]: unknown };

function setInJson(text: string, path: readonly string[], value: unknown): string {
  const document = JSON.parse(text) as Json;
  const holder = path.slice(0, -1).reduce<Json>((inner, key) => {
    inner[key] ??= {};
    return inner[key] as Json;
  }, document);
  holder[path.at(-1) ?? ''] = value;
  return `${JSON.stringify(document, null, 2)}\n`;
}
