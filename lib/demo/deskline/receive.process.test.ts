import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BODIES, errorCode, exchangeWith, startBench } from './test-bench.ts';

test.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example:80',
  '127.0.0.1@evil.example',
  '192.168.0.7',
  '0.0.0.0',
])('a request whose Host is "%s" is refused and has no effect', async (host) => {
  const bench = await startBench();
  const seen = await bench.post('/tickets', BODIES.tickets, { host });
  expect(seen?.status).toBe(421);
  expect(errorCode(seen)).toBe('not_loopback');
  expect((await bench.control.effects()).tickets.records).toBe(0);
});

test('a request without a Host is refused', async () => {
  const bench = await startBench();
  const socket = connect(Number(new URL(bench.deskline.url).port), '127.0.0.1');
  socket.end('GET /tickets HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toContain('421 Misdirected Request');
});

test.each(['localhost', 'LOCALHOST:3002', '127.0.0.1:1', '[::1]:3002'])(
  'a request whose Host is %s is served',
  async (host) => {
    const bench = await startBench();
    expect((await bench.get('/tickets', { host }))?.status).toBe(200);
  },
);

test('it listens on 127.0.0.1 and on no address that others can reach', async () => {
  const bench = await startBench();
  const { port, hostname } = new URL(bench.deskline.url);
  expect(hostname).toBe('127.0.0.1');
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outward) {
    expect(await exchangeWith(`http://${address}:${port}`, 'GET', '/tickets')).toBeNull();
  }
});

test('what a web page could send has no effect', async () => {
  const bench = await startBench();
  const url = bench.deskline.url;
  const body = JSON.stringify(BODIES.tickets);
  const fromPage = { origin: 'http://localhost:3000' };
  expect((await bench.post('/tickets', BODIES.tickets, fromPage))?.status).toBe(403);
  const plain = { 'content-type': 'text/plain' };
  expect((await exchangeWith(url, 'POST', '/tickets', plain, body))?.status).toBe(415);
  expect((await bench.control.effects()).tickets.records).toBe(0);
});

test.each([
  ['GET', '/control/effects'],
  ['GET', '/control/health'],
  ['PUT', '/control/config'],
  ['POST', '/control/reset'],
])('%s %s without the control header is refused', async (method, path) => {
  const bench = await startBench({ allowReset: true });
  const seen = await exchangeWith(bench.deskline.url, method, path, {}, method === 'GET' ? undefined : '{}');
  expect(seen?.status).toBe(403);
  expect(errorCode(seen)).toBe('control_header_missing');
});

test('bodies that are not JSON, or too large, are refused', async () => {
  const bench = await startBench();
  const url = bench.deskline.url;
  expect(errorCode(await exchangeWith(url, 'POST', '/tickets', {}, '{"queue_id":'))).toBe('invalid_json');
  const large = { ...BODIES.tickets, body: 'x'.repeat(65 * 1024) };
  expect((await bench.post('/tickets', large))?.status).toBe(413);
});

test.each([
  ['GET', '/nothing', 404],
  ['GET', '/lookup/nothing?key=k', 404],
  ['GET', '/tickets/a/b', 404],
  ['GET', '/tickets/%E0%A4%A', 400],
  ['POST', '/payments/pay_7731/close', 404],
  ['DELETE', '/tickets/ticket_1042', 405],
])('%s %s is %d', async (method, path, status) => {
  const bench = await startBench();
  expect((await exchangeWith(bench.deskline.url, method, path))?.status).toBe(status);
});
