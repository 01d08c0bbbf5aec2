import * as z from 'zod/mini';

const problem = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  code: z.optional(z.string()),
  request_id: z.optional(z.string()),
});

/** The server answered, and it was no: its status, its sentence, and what it adds. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const told = problem.safeParse(body);
    super(
      (told.success ? (told.data.detail ?? told.data.title) : undefined) ?? `The server answered ${status}.`,
    );
    this.status = status;
    this.body = body;
  }

  get requestId(): string | null {
    const id = this.body['instance'];
    return typeof id === 'string' ? id : null;
  }
}

async function read<T>(response: Response, shape: z.ZodMiniType<T>): Promise<T> {
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Refused(response.status, typeof body === 'object' && body !== null ? { ...body } : {});
  return shape.parse(body);
}

/** Asks for JSON of one shape. Rejects with `Refused`, or with what `fetch` throws when nobody answered. */
export async function ask<T>(address: string, shape: z.ZodMiniType<T>, signal?: AbortSignal): Promise<T> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    redirect: 'error',
    ...(signal ? { signal } : {}),
  });
  return read(response, shape);
}

/** Sends JSON and reads JSON of one shape back. */
export async function send<T>(address: string, body: unknown, shape: z.ZodMiniType<T>): Promise<T> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
    redirect: 'error',
  });
  return read(response, shape);
}
