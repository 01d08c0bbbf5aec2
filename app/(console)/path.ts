import { notFound } from 'next/navigation';
import { operationPath, scope, type Scope } from '../../lib/shapes/scope.ts';

type Segments<Name extends string> = Promise<Record<Name, string>>;

/** Pages get their segments as they stand in the address; each is decoded once, here. */
function decoded(segments: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(segments).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return notFound();
  }
}

export async function readScope(params: Segments<'tenant' | 'environment'>): Promise<Scope> {
  const read = scope.safeParse(decoded(await params));
  return read.success ? read.data : notFound();
}

export async function readOperationPath(
  params: Segments<'tenant' | 'environment' | 'key'>,
): Promise<{ scope: Scope; key: string }> {
  const read = operationPath.safeParse(decoded(await params));
  if (!read.success) return notFound();
  const { key, ...rest } = read.data;
  return { scope: rest, key };
}
