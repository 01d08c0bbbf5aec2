import * as z from 'zod/mini';
import { storable } from './storable.ts';

/** What a page of the console looks at: one tenant in one environment. */
export const scope = z.object({
  tenant: z.string().check(z.minLength(1), z.maxLength(255), storable),
  environment: z.string().check(z.minLength(1), z.maxLength(255), storable),
});
export type Scope = z.infer<typeof scope>;

/** The path of one operation. */
export const operationPath = z.extend(scope, {
  key: z.string().check(z.minLength(1), z.maxLength(2_048), storable),
});
