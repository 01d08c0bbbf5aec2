import { z } from 'zod';
import { HttpError, type FieldError } from './problem.ts';

/** A zod or zod/mini schema. */
export type Shape<Output> = z.core.$ZodType<Output>;

/** A body that is JSON but not what was asked for: 422 with a pointer to each field. */
export function validateBody<Output>(shape: Shape<Output>, value: unknown): Output {
  const result = z.core.safeParse(shape, value);
  if (result.success) return result.data;
  throw new HttpError('unprocessable', 'The body was not accepted.', fieldErrors(result.error, pointerOf));
}

/** Query parameters, each given once; 400 with the name of each wrong one. */
export function validateQuery<Output>(shape: Shape<Output>, query: URLSearchParams): Output {
  const twice = [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1);
  if (twice.length > 0) {
    const errors = twice.map((name) => ({ pointer: name, detail: 'is given more than once' }));
    throw new HttpError('invalid', 'The address was not accepted.', errors);
  }
  const result = z.core.safeParse(shape, Object.fromEntries(query));
  if (result.success) return result.data;
  throw new HttpError(
    'invalid',
    'The address was not accepted.',
    fieldErrors(result.error, (path) => path.join('.')),
  );
}

/** Segments of the path: what has the wrong form does not exist. */
export function validateParams<Output>(shape: Shape<Output>, params: unknown): Output {
  const result = z.core.safeParse(shape, params);
  if (result.success) return result.data;
  throw new HttpError('not_found', 'There is nothing here.');
}

type Path = readonly PropertyKey[];

function fieldErrors(error: z.core.$ZodError, name: (path: Path) => string): FieldError[] {
  // zod/mini has no locale of its own and leaves the message empty
  return error.issues.slice(0, 20).map((issue) => ({
    pointer: name(issue.path),
    detail: issue.message || `is not accepted (${issue.code})`,
  }));
}

const pointerOf = (path: Path) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
