export interface BenchOptions {
  /** A file, `-` for standard output; undefined for a table. */
  json: string | undefined;
  /** Rows of the grown table. */
  rows: number;
  quick: boolean;
  peers: boolean;
}

const USAGE = 'usage: npm run bench [-- --json FILE --rows N --quick --peers]';

/** @throws {Error} with the usage, for anything else */
export function readOptions(given: readonly string[]): BenchOptions {
  const options: BenchOptions = { json: undefined, rows: 200_000, quick: false, peers: false };
  const words = given.flatMap((word) => (/^--\w+=/.test(word) ? word.split(/=(.*)/s, 2) : [word]));
  while (words.length > 0) {
    const word = words.shift();
    const value = words[0] !== undefined && !words[0].startsWith('--') ? words.shift() : undefined;
    if (word === '--json') options.json = value ?? '-';
    else if (word === '--rows' && Number.isSafeInteger(Number(value)) && Number(value) > 0)
      options.rows = Number(value);
    else if (word === '--quick' && value === undefined) options.quick = true;
    else if (word === '--peers' && value === undefined) options.peers = true;
    else throw new Error(USAGE);
  }
  return options;
}
