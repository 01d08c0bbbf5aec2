import { sameDecimal } from './decimal.ts';
import { InvalidArguments, type InvalidArgumentsCode } from './invalid-arguments.ts';
import { jsonPath, type PathSegment } from './json-path.ts';
import { assertPlainJson, MAX_JSON_DEPTH, type PlainJson } from './plain-json.ts';

/**
 * Reads JSON text that came over a border, by RFC 8259 and then by the rules of {@link assertPlainJson},
 * which JSON.parse alone cannot keep: it rounds long integers, keeps the last of two equal keys and turns
 * 1e400 into Infinity. Throws {@link InvalidArguments} with the path and the position in the text.
 */
export function parsePlainJson(text: string): PlainJson {
  return assertPlainJson(new Reader(text).read());
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Recursive descent; the depth limit bounds the recursion. */
class Reader {
  readonly #text: string;
  readonly #path: PathSegment[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): PlainJson {
    const value = this.#value();
    if (this.#peek() !== '') throw this.#syntax('the end of the text');
    return value;
  }

  #value(): PlainJson {
    const next = this.#peek();
    if (next === '{') return this.#object();
    if (next === '[') return this.#array();
    if (next === '"') return this.#string();
    const literal = LITERALS[this.#token(LITERAL)];
    return literal === undefined ? this.#number() : literal;
  }

  #object(): PlainJson {
    this.#openContainer();
    const object: Record<string, PlainJson> = {};
    if (this.#accept('}')) return object;
    do {
      if (this.#peek() !== '"') throw this.#syntax('a key in quotes');
      const start = this.#at;
      const key = this.#string();
      this.#path.push(key);
      if (key === '__proto__') {
        throw this.#refusal(
          'proto_key',
          'is named __proto__, which readers treat differently; rename it',
          start,
        );
      }
      if (Object.hasOwn(object, key)) {
        throw this.#refusal('duplicate_key', 'stands twice in its object; send each key once', start);
      }
      if (!this.#accept(':')) throw this.#syntax('":"');
      object[key] = this.#value();
      this.#path.pop();
    } while (this.#accept(','));
    if (!this.#accept('}')) throw this.#syntax('"," or "}"');
    return object;
  }

  #array(): PlainJson {
    this.#openContainer();
    const array: PlainJson[] = [];
    if (this.#accept(']')) return array;
    do {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
    } while (this.#accept(','));
    if (!this.#accept(']')) throw this.#syntax('"," or "]"');
    return array;
  }

  #openContainer(): void {
    if (this.#path.length >= MAX_JSON_DEPTH) {
      throw this.#refusal(
        'too_deep',
        `is nested deeper than ${MAX_JSON_DEPTH} levels; flatten the arguments`,
      );
    }
    this.#at += 1;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    for (let character = this.#text[end]; character !== '"'; character = this.#text[end]) {
      if (character === undefined || character < ' ') {
        this.#at = end;
        throw this.#syntax('the end of a text; control characters must be escaped');
      }
      end += character === '\\' ? 2 : 1;
    }
    this.#at = end + 1;
    const value = this.#unquote(start, this.#at);
    if (!value.isWellFormed()) {
      throw this.#refusal('lone_surrogate', 'has half a surrogate pair in it; send whole characters', start);
    }
    return value;
  }

  #unquote(start: number, end: number): string {
    try {
      return String(JSON.parse(this.#text.slice(start, end)));
    } catch {
      this.#at = start;
      throw this.#syntax('a text with valid escapes');
    }
  }

  #number(): number {
    const start = this.#at;
    const source = this.#token(NUMBER);
    if (source === '') throw this.#syntax('a value');
    const value = Number(source);
    if (!Number.isFinite(value)) {
      throw this.#refusal('not_finite', 'is a number too large to hold; send it as text', start);
    }
    if (Number.isInteger(value) && !(Number.isSafeInteger(value) && sameDecimal(source, String(value)))) {
      throw this.#refusal(
        'unsafe_integer',
        'is a number that would be rounded to another integer; send it as text',
        start,
      );
    }
    return value;
  }

  #token(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += token.length;
    return token;
  }

  #accept(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The next character that is not white space; empty at the end. */
  #peek(): string {
    for (;;) {
      const character = this.#text.charAt(this.#at);
      if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t')
        return character;
      this.#at += 1;
    }
  }

  #syntax(expected: string): InvalidArguments {
    return this.#refusal('json_syntax', `is not valid JSON; expected ${expected}`);
  }

  #refusal(code: InvalidArgumentsCode, problem: string, position = this.#at): InvalidArguments {
    const path = jsonPath(this.#path);
    return new InvalidArguments(code, path, `The value at ${path} (character ${position}) ${problem}.`, {
      position,
    });
  }
}
