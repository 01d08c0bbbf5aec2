import type * as z from 'zod/mini';
import { notFound } from 'next/navigation';

/** The parameters of a page's address. What is unknown is left out; what has the wrong form is no page of ours. */
export async function readSearch<Shape extends z.ZodMiniType>(
  shape: Shape,
  searchParams: Promise<Record<string, string | string[] | undefined>>,
): Promise<z.output<Shape>> {
  const given = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const read = shape.safeParse(Object.fromEntries(given));
  return read.success ? read.data : notFound();
}
