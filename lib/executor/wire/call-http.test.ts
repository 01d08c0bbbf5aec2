import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NotSent } from '../tool.ts';
import { callHttp } from './call-http.ts';

afterEach(() => vi.restoreAllMocks());

const signal = () => AbortSignal.timeout(10_000);

async function served(listener: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const json =
  (text: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

describe('rule 4: only a connection that was never made is “not sent”', () => {
  test('a name that does not resolve and a port where nobody listens', async () => {
    await expect(callHttp('http://nowhere.invalid', { signal: signal() })).rejects.toBeInstanceOf(NotSent);
    await expect(callHttp('http://127.0.0.1:4699', { signal: signal() })).rejects.toBeInstanceOf(NotSent);
  });

  test('a connection that was reset after it was made is not', async () => {
    const server = createSocketServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = callHttp(`http://127.0.0.1:${port}`, { method: 'POST', body: {}, signal: signal() });
    await expect(call).rejects.not.toBeInstanceOf(NotSent);
    server.close();
  });

  test.each([
    ['of a write on a connection', [{ code: 'EHOSTUNREACH', syscall: 'write' }], false],
    ['of a read on a connection', [{ code: 'ENETUNREACH', syscall: 'read' }], false],
    ['while connecting', [{ code: 'EHOSTUNREACH', syscall: 'connect' }], true],
    ['while connecting, for every address', [{ syscall: 'connect' }, { syscall: 'connect' }], true],
    ['while connecting, for one address of two', [{ syscall: 'connect' }, { syscall: 'read' }], false],
    ['without any cause', [], false],
  ])('“no route to host” %s', async (_name, errors, notSent) => {
    const causes = errors.map((fields) => Object.assign(new Error('x'), fields));
    const cause = causes.length === 1 ? causes[0] : new AggregateError(causes);
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }));
    const error: unknown = await callHttp('http://127.0.0.1', { signal: signal() }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error instanceof NotSent).toBe(notSent);
  });

  test('an abort is not', async () => {
    const call = callHttp('http://127.0.0.1:4699', { signal: AbortSignal.abort() });
    await expect(call).rejects.not.toBeInstanceOf(NotSent);
  });
});

describe('what was answered', () => {
  test('[B54] a whole number that a double cannot hold stays exact, as text; every other number a number', async () => {
    const text =
      '{"id":1234567890123456789,"deep":[-9007199254740993,9007199254740991,1e300,0.5,"1234567890123456789"]}';
    await served(json(text), async (url) => {
      const { body } = await callHttp(url, { signal: signal() });
      expect(body).toEqual({
        id: '1234567890123456789',
        deep: ['-9007199254740993', 9007199254740991, 1e300, 0.5, '1234567890123456789'],
      });
    });
  });

  test.each(['{"id":', '', 'OK'])('a body of %j is not read', async (text) => {
    await served(json(text), async (url) => {
      expect(await callHttp(url, { signal: signal() })).toMatchObject({ status: 200, body: undefined });
    });
  });

  test('a body beyond the cap is not read, and its status is told', async () => {
    await served(json(`"${'x'.repeat(5_000)}"`), async (url) => {
      expect(await callHttp(url, { signal: signal(), maxBytes: 1_000 })).toMatchObject({
        status: 200,
        body: undefined,
      });
    });
  });

  test('a redirect is an answer and is not followed: the effect would be sent twice', async () => {
    let requests = 0;
    await served(
      (_request, response) => {
        requests += 1;
        response.writeHead(307, { location: '/again' }).end();
      },
      async (url) => {
        expect((await callHttp(url, { method: 'POST', body: {}, signal: signal() })).status).toBe(307);
        expect(requests).toBe(1);
      },
    );
  });
});
