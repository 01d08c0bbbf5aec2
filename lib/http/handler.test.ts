import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DatabaseError, ServiceError, type ServiceErrorCode } from '../errors.ts';
import { handler, publicHandler } from './handler.ts';
import type { Problem } from './problem.ts';
import { MAX_BODY_BYTES } from './read-body.ts';

const BASE = 'http://localhost:4500';
const log = vi.hoisted(() => ({ error: vi.fn() }));
const session = vi.hoisted(() => ({ caller: vi.fn() }));
vi.mock('../logger.ts', () => ({ logger: () => log }));
vi.mock('../auth/caller.ts', () => session);

const CALLER = { user: { id: 'u1' }, rolesFor: () => [] };
beforeAll(() => {
  vi.stubEnv('NEXTAUTH_URL', BASE);
  session.caller.mockImplementation(async () => CALLER);
});
afterEach(() => log.error.mockClear());

const noParams = { params: Promise.resolve({}) };
const own = { origin: BASE, 'content-type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = own) =>
  new Request(`${BASE}/api/x`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);

const shape = z.strictObject({ reason: z.string().min(1), version: z.int() });
const act = vi.fn(async (asked: { body: z.output<typeof shape> }) => ({ got: asked.body }));
const write = handler({ body: shape }, act);
afterEach(() => act.mockClear());

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const problem = (await response.json()) as Problem;
  expect(problem.status).toBe(response.status);
  expect(problem.instance).toBe(response.headers.get('x-request-id'));
  return problem;
}

describe('a handler', () => {
  test('answers JSON that nobody may keep, under an id of its own', async () => {
    const response = await write(post('{"reason":"seen","version":3}'), noParams);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ got: { reason: 'seen', version: 3 } });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('without an answer is 204', async () => {
    const route = handler({}, async () => undefined);
    expect((await route(post(''), noParams)).status).toBe(204);
  });

  test.each([
    ['no Origin', {}],
    ['null', { origin: 'null' }],
    [
      'a foreign one with a matching X-Forwarded-Host',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', host: 'evil.example' },
    ],
    ['another port', { origin: 'http://localhost:4501' }],
    ['another scheme', { origin: 'https://localhost:4500' }],
    ['our name as a prefix', { origin: `${BASE}.evil.example` }],
  ])('[S14] a write with %s is refused before anything is asked', async (_what, headers) => {
    session.caller.mockClear();
    const request = post('{"reason":"x","version":1}', { 'content-type': 'application/json', ...headers });
    const problem = await problemOf(await write(request, noParams));
    expect(problem).toMatchObject({ status: 403, code: 'foreign_origin' });
    expect(act).not.toHaveBeenCalled();
    expect(session.caller).not.toHaveBeenCalled();
  });

  test('a read needs no Origin', async () => {
    const route = handler({}, async () => ({ ok: true }));
    expect((await route(new Request(`${BASE}/api/x`), noParams)).status).toBe(200);
  });

  test('without a live session it is 401, and the body stays unread', async () => {
    session.caller.mockRejectedValueOnce(new ServiceError('unauthenticated', 'Sign in first.'));
    const request = post('not even JSON');
    expect(await problemOf(await write(request, noParams))).toMatchObject({ status: 401 });
    expect(request.bodyUsed).toBe(false);
  });

  test('a database that does not answer is 503, never 401', async () => {
    session.caller.mockRejectedValueOnce(
      new DatabaseError('unavailable', { message: 'database unavailable' }),
    );
    expect(await problemOf(await write(post('{}'), noParams))).toMatchObject({
      status: 503,
      code: 'unavailable',
    });
  });
});

describe('a body', () => {
  test.each([
    ['declares 256 KiB and one byte', () => post('x'.repeat(MAX_BODY_BYTES + 1))],
    ['streams it without a length', () => post(chunks(MAX_BODY_BYTES + 1))],
    ['has 11 MB', () => post(chunks(11 * 1024 * 1024))],
    [
      'declares less than it sends',
      () => post(chunks(MAX_BODY_BYTES + 1), { ...own, 'content-length': '2' }),
    ],
  ])('[S29] that %s is 413, with the handler uncalled', async (_what, request) => {
    expect(await problemOf(await write(request(), noParams))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    expect(act).not.toHaveBeenCalled();
  });

  test('[S29] of exactly 256 KiB is read', async () => {
    const padding = MAX_BODY_BYTES - '{"reason":"","version":1}'.length;
    const response = await write(post(`{"reason":"${'x'.repeat(padding)}","version":1}`), noParams);
    expect(response.status).toBe(200);
  });

  test.each([
    ['a name twice', '{"reason":"a","reason":"b"}', '/reason'],
    ['__proto__', '{"reason":{"__proto__":1}}', '/reason/__proto__'],
    ['an integer beyond 2^53', '{"version":9007199254740993}', '/version'],
    ['U+0000', '{"reason":"\\u0000"}', '/reason'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, '/0'.repeat(64)],
    ['no JSON', 'reason=x', ''],
  ])('[S29] with %s is 400 with the path', async (_what, body, pointer) => {
    const problem = await problemOf(await write(post(body), noParams));
    expect(problem).toMatchObject({ status: 400, code: 'invalid', errors: [{ pointer }] });
    expect(act).not.toHaveBeenCalled();
  });

  test('that is not UTF-8 is 400', async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    expect(await problemOf(await write(post(body), noParams))).toMatchObject({ status: 400 });
  });

  test('of another type is 415, a form included', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', '']) {
      const request = post('{}', { origin: BASE, 'content-type': type });
      expect(await problemOf(await write(request, noParams))).toMatchObject({ status: 415 });
    }
  });

  test('of the wrong shape is 422 and points at each field', async () => {
    const problem = await problemOf(
      await write(post('{"reason":"","version":1.5,"role":"admin"}'), noParams),
    );
    expect(problem).toMatchObject({ status: 422, code: 'unprocessable' });
    expect(problem.errors?.map((error) => error.pointer)).toEqual(['/reason', '/version', '']);
  });
});

describe('query, path and form', () => {
  const route = publicHandler(
    {
      query: z.strictObject({ after: z.optional(z.string().max(3)) }),
      params: z.object({ id: z.uuid() }),
    },
    async ({ query, params }) => ({ query, params }),
  );
  const id = '4f1f3f0e-7d1c-4c7c-9d3e-0d3c2b1a0f9e';
  const get = (search: string, params: unknown = { id }) =>
    route(new Request(`${BASE}/api/x${search}`), { params: Promise.resolve(params) });

  test('arrive parsed', async () => {
    expect(await (await get('?after=abc')).json()).toEqual({ query: { after: 'abc' }, params: { id } });
  });
  test('a wrong, unknown or repeated parameter is 400', async () => {
    for (const search of ['?after=abcd', '?page=1', '?after=a&after=b']) {
      expect(await problemOf(await get(search))).toMatchObject({ status: 400 });
    }
  });
  test('a path of the wrong form does not exist', async () => {
    expect(await problemOf(await get('', { id: '../x' }))).toMatchObject({ status: 404 });
  });
  test('a form is read only where one is expected', async () => {
    const form = publicHandler({ form: z.object({ to: z.string() }) }, async ({ body }) => body);
    const headers = { origin: BASE, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    expect(await (await form(post('to=%2Fcases', headers), noParams)).json()).toEqual({ to: '/cases' });
    expect((await form(post('{}'), noParams)).status).toBe(415);
  });
});

describe('errors', () => {
  const failing = (error: unknown) =>
    handler({}, async () => {
      throw error;
    });
  const run = (error: unknown) => failing(error)(new Request(`${BASE}/api/x`), noParams);

  test.each<[ServiceErrorCode, number]>([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['too_large', 413],
    ['unprocessable', 422],
    ['unavailable', 503],
  ])('a refusal %s is %i with its sentence and details', async (code, status) => {
    const problem = await problemOf(
      await run(new ServiceError(code, 'Ines decided it.', { details: { version: 7, status: 1 } })),
    );
    expect(problem).toMatchObject({ status, code, detail: 'Ines decided it.', version: 7 });
  });

  test('[S11] an error that nobody expected tells the client nothing, and the log no value', async () => {
    for (const error of [
      new Error('canary-payload'),
      new SyntaxError('Unexpected token canary'),
      new DatabaseError('duplicate', { message: 'database duplicate (23505)' }),
      'canary-string',
      { canary: true },
    ]) {
      const problem = await problemOf(await run(error));
      expect(problem).toMatchObject({ status: 500, code: 'internal' });
      expect(JSON.stringify(problem)).not.toMatch(/canary|23505/);
    }
    expect(log.error).toHaveBeenCalledTimes(5);
    expect(JSON.stringify(log.error.mock.calls)).not.toContain('canary');
    expect(JSON.stringify(log.error.mock.calls)).toContain('handler.test.ts');
  });

  test('a deadline is 503 and does not claim that nothing happened', async () => {
    const problem = await problemOf(
      await run(new DatabaseError('deadline', { message: 'database deadline' })),
    );
    expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining('not confirmed') });
  });
});

function chunks(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(Math.min(left, 65_536)).fill(0x20));
      left -= 65_536;
    },
  });
}
