import { createHash } from 'node:crypto';

/** Draws that repeat for the same seed. */
export type Seeded = {
  /** Uniform in [0, 1). */
  fraction: () => number;
  /** A whole number from `least` to `most`, both included. */
  whole: (least: number, most: number) => number;
  pick: <T>(from: readonly [T, ...T[]]) => T;
  /** True with this probability. */
  chance: (probability: number) => boolean;
  /** So many hexadecimal digits. */
  hex: (digits: number) => string;
};

/** A sequence of its own for each text: digests of the text and a counter. */
export function seeded(text: string): Seeded {
  let count = 0;
  const draw = () => createHash('sha256').update(`${text}\n${count++}`).digest();
  const fraction = () => draw().readUInt32BE(0) / 2 ** 32;
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    chance: (probability) => fraction() < probability,
    hex: (digits) => draw().toString('hex').slice(0, digits),
  };
}
