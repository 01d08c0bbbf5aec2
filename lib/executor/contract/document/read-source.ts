import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Document,
  type ParsedNode,
  type YAMLError,
} from 'yaml';

import { join, type Position, type SourceMap, type SourceNode, type SourceProblem } from './source.ts';

const MAX_CHARACTERS = 65_536;
const MAX_NESTING = 32;
const START: Position = { line: 1, column: 1 };

/**
 * Reads one YAML 1.2 document (JSON is one too) whose values are plain: text, whole or decimal numbers, true, false,
 * nothing, lists, and maps with text as keys. Refused, each with its position: what is not YAML, several documents,
 * duplicate keys, anchors, aliases, merge keys, tags, and more than 64 KiB or 32 levels. `root` is null where anything
 * was refused.
 */
export function readSource(text: string): { root: SourceMap | null; problems: SourceProblem[] } {
  const tooMuch = sizeProblem(text);
  if (tooMuch !== null) return { root: null, problems: [tooMuch] };
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, schema: 'core' });
  const reader = new Reader(lines);
  if (!('length' in documents) || documents.length === 0)
    reader.refuse('', START, 'The file holds no contract.');
  for (const document of documents) for (const error of document.errors) reader.refuseSyntax(error);
  const [first, second] = documents as Document.Parsed[];
  if (second !== undefined)
    reader.refuse('', reader.position(second.range[0]), 'One file holds one contract; remove the others.');
  const root =
    first === undefined || reader.problems.length > 0
      ? null
      : reader.read(first.contents, reader.position(first.contents?.range[0] ?? 0), '');
  if (root !== null && root.kind !== 'map' && reader.problems.length === 0)
    reader.refuse('', START, 'A contract is a map of fields, such as `name: tickets.create`.');
  return {
    root: reader.problems.length === 0 && root?.kind === 'map' ? root : null,
    problems: reader.problems,
  };
}

/** What would exhaust the parser is refused before it sees it. */
function sizeProblem(text: string): SourceProblem | null {
  if (text.length > MAX_CHARACTERS)
    return { path: '', at: START, sentence: `A contract has at most ${MAX_CHARACTERS} characters.` };
  let depth = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const indicators = /^(?:\s*[-?:](?=\s|$))*/.exec(line)?.[0].replace(/\s/g, '').length ?? 0;
    const indentation = /^\s*/.exec(line)?.[0].length ?? 0;
    for (const character of line) {
      if (character === '[' || character === '{') depth += 1;
      if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
      if (Math.max(depth, indicators, indentation / 8) > MAX_NESTING)
        return {
          path: '',
          at: { line: index + 1, column: 1 },
          sentence: `A contract is nested at most ${MAX_NESTING} levels deep.`,
        };
    }
  }
  return null;
}

class Reader {
  readonly problems: SourceProblem[] = [];
  readonly #lines: LineCounter;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  refuse(path: string, at: Position, sentence: string): void {
    this.problems.push({ path, at, sentence });
  }

  refuseSyntax(error: YAMLError): void {
    const sentence =
      error.code === 'DUPLICATE_KEY'
        ? 'The key stands twice in this map; keep one.'
        : `This is not YAML: ${error.message}.`;
    this.refuse('', this.position(error.pos[0]), sentence);
  }

  read(node: ParsedNode | null, at: Position, path: string): SourceNode {
    const nothing: SourceNode = { kind: 'value', at, value: null };
    if (node === null) return nothing;
    const here = this.position(node.range[0]);
    if (isAlias(node) || node.anchor !== undefined) {
      this.refuse(path, here, 'Anchors and aliases are not used in a contract; write the value out.');
      return nothing;
    }
    if (node.tag !== undefined && !/^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/.test(node.tag)) {
      this.refuse(path, here, `A contract holds plain values; remove the tag ${node.tag}.`);
      return nothing;
    }
    if (isMap(node)) return { kind: 'map', at, entries: this.#entries(node.items, path) };
    if (isSeq(node)) {
      const items = node.items.map((item, index) =>
        this.read(item, item === null ? here : this.position(item.range[0]), join(path, String(index))),
      );
      return { kind: 'list', at, inline: node.flow === true, items };
    }
    return this.#value(node.value, here, at, path);
  }

  #entries(
    items: readonly { key: ParsedNode; value: ParsedNode | null }[],
    path: string,
  ): Map<string, SourceNode> {
    const entries = new Map<string, SourceNode>();
    for (const { key, value } of items) {
      const at = this.position(key.range[0]);
      const name = isScalar(key) ? key.value : undefined;
      if (typeof name !== 'string' || name === '<<' || name === '__proto__') {
        this.refuse(
          path,
          at,
          'A key is text, and neither `<<` nor `__proto__`; write a number as key in quotes.',
        );
      } else entries.set(name, this.read(value, at, join(path, name)));
    }
    return entries;
  }

  #value(value: unknown, here: Position, at: Position, path: string): SourceNode {
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || isExact(value))
      return { kind: 'value', at, value };
    this.refuse(path, here, 'This number cannot be kept exactly; write it in quotes, or a smaller one.');
    return { kind: 'value', at, value: null };
  }
}

const isExact = (value: unknown): value is number =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
