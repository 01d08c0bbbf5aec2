/** What a JSON text holds, or the first reason to refuse it and where: a JSON Pointer (RFC 6901), empty for the whole. */
export type StrictJson = { ok: true; value: unknown } | { ok: false; pointer: string; why: string };

const MAX_DEPTH = 64;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- RFC 8259 forbids them unescaped
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class Refusal extends Error {}

/**
 * Reads JSON and refuses what two readers may understand differently, or what PostgreSQL cannot hold: a name twice,
 * `__proto__`, more than 64 levels, an integer beyond ±(2^53−1), a number that overflows, U+0000, a lone surrogate.
 */
export function parseStrictJson(text: string): StrictJson {
  const reader = new Reader(text);
  try {
    return { ok: true, value: reader.document() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ok: false, pointer: reader.pointer(), why: error.message };
  }
}

class Reader {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  pointer(): string {
    return this.#path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  }

  document(): unknown {
    this.#match(SPACE);
    const value = this.#value();
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw new Refusal(`is followed by more text, at character ${this.#at}`);
    return value;
  }

  #value(): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      default:
        return this.#word();
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#list('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#unexpected();
      const name = this.#string();
      this.#path.push(name);
      if (name === '__proto__') throw new Refusal('is a name that is never accepted');
      if (Object.hasOwn(object, name)) throw new Refusal('is there twice');
      this.#match(SPACE);
      this.#expect(':');
      this.#match(SPACE);
      object[name] = this.#value();
      this.#path.pop();
    });
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#list(']', () => {
      this.#path.push(array.length);
      array.push(this.#value());
      this.#path.pop();
    });
    return array;
  }

  #list(end: string, item: () => void): void {
    if (this.#path.length >= MAX_DEPTH) throw new Refusal(`is nested deeper than ${MAX_DEPTH} levels`);
    this.#at += 1;
    this.#match(SPACE);
    if (this.#take(end)) return;
    do {
      this.#match(SPACE);
      item();
      this.#match(SPACE);
    } while (this.#take(','));
    this.#expect(end);
  }

  #string(): string {
    this.#at += 1;
    let value = this.#match(PLAIN);
    while (!this.#take('"')) {
      this.#expect('\\');
      value += this.#escape() + this.#match(PLAIN);
    }
    if (value.includes('\u0000')) throw new Refusal('holds U+0000');
    if (!value.isWellFormed()) throw new Refusal('holds half of a surrogate pair');
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? '';
    this.#at += 1;
    const plain = ESCAPES[letter];
    if (plain !== undefined) return plain;
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#unexpected(-1);
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #word(): number | boolean | null {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const digits = this.#match(NUMBER);
    if (digits === '') throw this.#unexpected();
    const number = Number(digits);
    if (!Number.isFinite(number)) throw new Refusal('is a number beyond what can be held');
    if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
      throw new Refusal('is an integer beyond 2^53');
    }
    return number;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw this.#unexpected();
  }

  #unexpected(offset = 0): Refusal {
    const at = this.#at + offset;
    return new Refusal(at >= this.#text.length ? 'ends too early' : `is not JSON, at character ${at}`);
  }
}
