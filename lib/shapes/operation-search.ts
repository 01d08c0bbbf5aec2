import * as z from 'zod/mini';
import { storable } from './storable.ts';

const word = (max: number) => z.optional(z.string().check(z.trim(), z.maxLength(max), storable));

/** The filters of the operations list, as they stand in its address; an empty one is none. */
export const operationSearch = z.pipe(
  z.strictObject({ status: word(64), tool: word(100), q: word(1_024), after: word(4_096) }),
  z.transform(
    (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value)) as typeof given,
  ),
);
export type OperationSearch = z.infer<typeof operationSearch>;

export const casesSearch = z.strictObject({ after: z.optional(z.string().check(z.maxLength(4_096))) });

export const auditSearch = z.strictObject({
  before: z.optional(z.string().check(z.regex(/^[1-9]\d{0,15}$/))),
});
