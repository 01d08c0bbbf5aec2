import { InvalidArguments, type InvalidArgumentsCode } from './invalid-arguments.ts';
import { jsonPath, type PathSegment } from './json-path.ts';

/** The only values that may identify a request: what JSON can say, and nothing that merely looks like it. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [key: string]: PlainJson };

/** Containers inside containers: `[[]]` has depth 2. */
export const MAX_JSON_DEPTH = 64;
/** Size of the RFC 8785 form in UTF-8 bytes. */
export const MAX_JSON_BYTES = 256 * 1024;

/**
 * Takes any value and gives a frozen copy of it that is JSON and nothing else, with ordinary prototypes;
 * `undefined` in an object equals omitted, and −0 is 0 (RFC 8785 §3.2.2.3). Everything JSON cannot say, or
 * says differently to different readers, throws {@link InvalidArguments} with the path of the offender:
 * this runs before the claim, so that two requests never share an identity by a lossy conversion. Integers
 * beyond ±(2^53−1) are our input policy, not the RFC's. Nothing of the caller's is executed: no getter, no
 * `toJSON`. Shared references are copied twice; cycles are refused. The walk does not recurse.
 */
export function assertPlainJson(value: unknown): PlainJson {
  const walk = new Walk();
  try {
    return walk.copy(value);
  } catch (cause) {
    if (cause instanceof InvalidArguments) throw cause;
    throw walk.refusal('unreadable', 'could not be read; pass plain data', [], cause);
  }
}

type Container = PlainJson[] | Record<string, PlainJson>;

interface Frame {
  source: object;
  target: Container;
  keys: readonly PathSegment[];
  next: number;
  written: number;
}

class Walk {
  readonly #frames: Frame[] = [];
  readonly #open = new Set<object>();
  #bytes = 0;

  copy(root: unknown): PlainJson {
    const result = this.#enter(root);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const key = frame.keys[frame.next];
      if (key === undefined) {
        Object.freeze(frame.target);
        this.#open.delete(frame.source);
        this.#frames.pop();
      } else {
        frame.next += 1;
        this.#member(frame, key);
      }
    }
    return result;
  }

  refusal(code: InvalidArgumentsCode, problem: string, below: PathSegment[] = [], cause?: unknown) {
    const above = this.#frames.flatMap((frame) => frame.keys[frame.next - 1] ?? []);
    const path = jsonPath([...above, ...below]);
    return new InvalidArguments(code, path, `The value at ${path} ${problem}.`, { cause });
  }

  #member(frame: Frame, key: PathSegment): void {
    const property = Object.getOwnPropertyDescriptor(frame.source, key);
    if (property === undefined) throw this.refusal('sparse_array', 'is a hole in an array; use null');
    if (!('value' in property)) throw this.refusal('accessor', 'is a getter or setter; pass plain data');
    if (!property.enumerable) throw this.refusal('not_json', 'is hidden (not enumerable); pass plain data');
    if (typeof key === 'string') {
      if (key === 'toJSON' && typeof property.value === 'function') {
        throw this.refusal('to_json', 'is a toJSON method; pass the data that it would return');
      }
      if (property.value === undefined) return;
      this.#spend(this.#text(key, 'has a key') + 1);
    }
    if (frame.written > 0) this.#spend(1);
    frame.written += 1;
    const value = this.#enter(property.value);
    // Defined, not assigned: `constructor` and its like are ordinary keys, on a frozen Object.prototype too.
    Object.defineProperty(frame.target, key, { value, enumerable: true, writable: true, configurable: true });
  }

  /** A scalar, or a container that is still empty and now on top of the frames. */
  #enter(value: unknown): PlainJson {
    if (value === null || typeof value === 'boolean') {
      this.#spend(value === false ? 5 : 4);
      return value;
    }
    if (typeof value === 'string') {
      this.#spend(this.#text(value, 'is text'));
      return value;
    }
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'object') return this.#container(value);
    throw this.refusal('not_json', `is ${SCALAR_OFFENDERS[typeof value] ?? 'not JSON'}`);
  }

  #number(value: number): number {
    if (!Number.isFinite(value)) {
      throw this.refusal('not_finite', 'is NaN or an infinity; send a finite number or null');
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.refusal(
        'unsafe_integer',
        'is an integer beyond ±(2^53−1), which JSON readers round; send it as text',
      );
    }
    this.#spend(String(value).length);
    return value === 0 ? 0 : value;
  }

  #container(source: object): Container {
    const isArray = Array.isArray(source);
    if (!(isArray ? isOrdinaryArray(source) : isOrdinaryObject(source))) {
      throw this.refusal('not_json', `is ${nameOfClass(source)}, not plain data; ${adviceFor(source)}`);
    }
    if (this.#open.has(source)) throw this.refusal('cycle', 'contains itself; pass data without cycles');
    if (this.#frames.length >= MAX_JSON_DEPTH) {
      throw this.refusal('too_deep', `is nested deeper than ${MAX_JSON_DEPTH} levels; flatten the arguments`);
    }
    this.#spend(isArray && source.length > MAX_JSON_BYTES ? source.length : 2);
    const keys = isArray ? this.#indices(source) : this.#keys(source);
    const target: Container = isArray ? [] : {};
    this.#frames.push({ source, target, keys, next: 0, written: 0 });
    this.#open.add(source);
    return target;
  }

  #indices(source: readonly unknown[]): PathSegment[] {
    const extra = Reflect.ownKeys(source).length - 1 - source.length;
    if (extra > 0)
      throw this.refusal('not_json', 'is an array with named properties; use an object for them');
    return Array.from(source.keys());
  }

  #keys(source: object): string[] {
    return Reflect.ownKeys(source).map((key) => {
      if (typeof key === 'symbol') throw this.refusal('not_json', 'has a symbol for a key; use text');
      if (key === '__proto__') {
        throw this.refusal('proto_key', 'is named __proto__, which readers treat differently; rename it', [
          key,
        ]);
      }
      return key;
    });
  }

  /** Bytes of the text in RFC 8785 form, quotes included. */
  #text(text: string, subject: string): number {
    if (text.length > MAX_JSON_BYTES) this.#spend(text.length);
    if (!text.isWellFormed()) {
      throw this.refusal('lone_surrogate', `${subject} with half a surrogate pair; send whole characters`);
    }
    return Buffer.byteLength(JSON.stringify(text));
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_JSON_BYTES) {
      throw this.refusal(
        'too_large',
        `takes the whole over ${MAX_JSON_BYTES / 1024} KiB; send a reference instead`,
      );
    }
  }
}

const SCALAR_OFFENDERS: Readonly<Record<string, string>> = {
  undefined: 'undefined, which only an object member may be; use null',
  bigint: 'a BigInt; send it as text',
  function: 'a function; pass plain data',
  symbol: 'a symbol; send it as text',
};

/** Of any realm: values from structuredClone or a worker have another realm's Object.prototype. */
function isObjectPrototype(candidate: object | null): boolean {
  return (
    candidate !== null &&
    Object.getPrototypeOf(candidate) === null &&
    Object.hasOwn(candidate, 'hasOwnProperty') &&
    Object.hasOwn(candidate, 'isPrototypeOf')
  );
}

const prototypeOf = (value: object) => Object.getPrototypeOf(value) as object | null;

function isOrdinaryObject(source: object): boolean {
  const prototype = prototypeOf(source);
  return prototype === null || isObjectPrototype(prototype);
}

function isOrdinaryArray(source: object): boolean {
  const prototype = prototypeOf(source);
  // Array.prototype is itself an array; the prototype of a subclass is not.
  return prototype !== null && Array.isArray(prototype) && isObjectPrototype(prototypeOf(prototype));
}

function nameOfClass(source: object): string {
  const prototype = prototypeOf(source);
  const constructor: unknown = prototype && Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return /^\w{1,60}$/.test(name) ? `an instance of ${name}` : 'an instance of a class';
}

function adviceFor(source: object): string {
  if (source instanceof Date) return 'send an ISO 8601 text';
  if (source instanceof Map) return 'send an object';
  if (source instanceof Set) return 'send an array';
  return 'send an object with the fields that matter';
}
