import type { PlainJson } from './identity/plain-json.ts';

/** U+001A SUBSTITUTE, then four lower-case hex digits of the UTF-16 unit that stood there. */
const MARK = '\u001a';

/**
 * Postgres refuses U+0000 and half a surrogate pair in text and jsonb, and a downstream's answer must not be
 * lost over one after its effect happened. Escapes both, and the mark itself, in every text and key of a JSON
 * value; {@link unescapeFromStorage} gives back exactly the same value. Depth is not limited here and the walk
 * does not recurse, but whoever writes the result as JSON text should limit it first.
 */
export function escapeForStorage(value: string): string;
export function escapeForStorage(value: PlainJson): PlainJson;
export function escapeForStorage(value: PlainJson): PlainJson {
  return mapTexts(value, escapeText);
}

/** The inverse of {@link escapeForStorage}; text that was never escaped comes back as it is, unless it holds marks. */
export function unescapeFromStorage(value: string): string;
export function unescapeFromStorage(value: PlainJson): PlainJson;
export function unescapeFromStorage(value: PlainJson): PlainJson {
  return mapTexts(value, unescapeText);
}

/** Whether a value of this JSON text (as `JSON.stringify` writes it) may change when it is escaped; never a false no. */
export const mayNeedEscape = (json: string): boolean => NEEDS_ESCAPE.test(json);

/** Whether this JSON text (as Postgres writes it) may hold what {@link escapeForStorage} wrote; never a false no. */
export const mayHoldEscapes = (json: string): boolean => json.includes(String.raw`\u001a`);

/** `JSON.stringify` writes U+0000, the mark and halves of surrogate pairs as escapes, in lower case. */
const NEEDS_ESCAPE = /\\u(?:0000|001a|d[89a-f])/;

/**
 * Text for storage that takes at most `maxBytes` (3 or more) of UTF-8: escaped, and where it is too long, cut
 * before a whole character and ended with `…`. Unescapes like any stored text.
 */
export function boundedText(text: string, maxBytes: number): string {
  // A unit takes a byte at least, so units beyond the limit cannot matter.
  const escaped = escapeText(text.slice(0, maxBytes + 1));
  if (Buffer.byteLength(escaped) <= maxBytes) return escaped;
  let room = maxBytes - Buffer.byteLength(CUT);
  let end = 0;
  for (const [character] of escaped.matchAll(STORED_CHARACTER)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    end += character.length;
  }
  return `${escaped.slice(0, end)}${CUT}`;
}

const CUT = '…';
const STORED_CHARACTER = new RegExp(`${MARK}[0-9a-f]{4}|[^]`, 'gu');
const ESCAPED_UNIT = new RegExp(`${MARK}([0-9a-f]{4})`, 'g');
/** With the u flag \p{Cs} matches only halves: a pair is one character. */
const UNSTORABLE = new RegExp(`[\\0${MARK}\\p{Cs}]`, 'gu');

function escapeText(text: string): string {
  return text.replace(UNSTORABLE, (unit) => MARK + unit.charCodeAt(0).toString(16).padStart(4, '0'));
}

function unescapeText(text: string): string {
  return text.replace(ESCAPED_UNIT, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

type Container = PlainJson[] | Record<string, PlainJson>;

function mapTexts(root: PlainJson, change: (text: string) => string): PlainJson {
  const waiting: [source: object, target: Container][] = [];
  const copy = (value: PlainJson): PlainJson => {
    if (typeof value === 'string') return change(value);
    if (typeof value !== 'object' || value === null) return value;
    const target: Container = Array.isArray(value) ? [] : {};
    waiting.push([value, target]);
    return target;
  };
  const result = copy(root);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [source, target] = next;
    for (const [key, value] of Object.entries(source) as [string, PlainJson][]) {
      // Defined, not assigned: a downstream's answer may have a key named __proto__.
      Object.defineProperty(target, Array.isArray(target) ? key : change(key), {
        value: copy(value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return result;
}
