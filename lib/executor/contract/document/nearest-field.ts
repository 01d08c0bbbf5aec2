import { z } from 'zod';
import { contractSchema } from '../contract.ts';

/** The field of a contract that was probably meant by a name that is none, or null. */
export function nearestField(name: string): string | null {
  const [best] = [...fieldNames(z.toJSONSchema(contractSchema, { unrepresentable: 'any', io: 'input' }))]
    .map((field) => ({ field, apart: edits(name.toLowerCase(), field) }))
    .toSorted((a, b) => a.apart - b.apart);
  return best !== undefined && best.apart <= Math.min(2, name.length / 3) ? best.field : null;
}

function* fieldNames(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'properties') yield* Object.keys(inner as object);
    yield* fieldNames(inner);
  }
}

/** How many letters have to be put in, taken out or changed (Levenshtein). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of from.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of to.split('').entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
