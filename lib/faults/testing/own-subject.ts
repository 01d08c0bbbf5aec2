import { createServer } from 'node:http';
import { once } from 'node:events';
import { z } from 'zod';
import { callHttp, defineContract, defineTool } from '../../executor/index.ts';
import type { FakeDownstream, FaultSubject } from '../subject.ts';

/** A tool of one's own with a fake downstream of one's own: what docs/faults.md shows. */

const contract = defineContract({
  name: 'rooms.book',
  version: '2026-12-01',
  purpose: 'Book one room for one meeting.',
  effect_class: 'key_based',
  effects: ['a booking in the calendar'],
  material: { room: { rules: [] }, day: { rules: [] } },
  ignored: {},
  canonicalization_version: 1,
  downstream: {
    connector: 'calendar',
    deduplicates: true,
    key: 'operation_key',
    key_window_seconds: 86_400,
    call_budget_ms: 30_000,
    settle_seconds: 10,
    own_retries_off: true,
  },
  receipt: { field: 'booking', required: true },
  replay: { fields: ['booking'], sensitive: [], max_bytes: 1_024 },
  attempts: { max: 3, backoff_seconds: 20 },
  lease_seconds: 60,
  recovery_seconds: 300,
  retention_seconds: 604_800,
  late_arrival: 'reject',
  decision: 'automate',
  owner: { team: 'Office' },
  response_seconds: 3_600,
  cost_of_duplicate: 'A room is taken twice.',
  cost_of_missing: 'A meeting has no room.',
});

const tool = (url: string) =>
  defineTool({
    contract,
    input: z.strictObject({ room: z.string(), day: z.string() }),
    effect: async (call) => {
      const { status, body } = await callHttp(`${url}/bookings`, {
        method: 'POST',
        headers: { 'idempotency-key': call.downstreamKey },
        body: call.arguments,
        signal: call.signal,
      });
      return status === 200
        ? { kind: 'done', answer: body }
        : { kind: 'unclear', because: `status ${status}` };
    },
  });

/** Remembers bookings by key; can lose the answer of the next one. Everything else it leaves out. */
async function startCalendar(): Promise<FakeDownstream> {
  const bookings = new Map<string, string>();
  const losing = new Set<string>();
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    const booking = bookings.get(key) ?? `booking_${bookings.size + 1}`;
    bookings.set(key, booking);
    if (losing.delete(key)) return void response.socket?.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ booking }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    effects: async (key) => [bookings.get(key) ?? []].flat(),
    drop: async (key) => {
      losing.add(key);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const subject: FaultSubject = {
  name: 'rooms.book',
  tool,
  startDownstream: startCalendar,
  arguments: async (_downstream, unique) => ({ room: `room ${unique}`, day: '2026-12-24' }),
  changed: (args) => ({ ...(args as object), day: '2026-12-31' }),
  // the shipped times would make the run an hour
  timing: {
    downstream: { ...contract.downstream, call_budget_ms: 2_000, settle_seconds: 1 },
    attempts: { max: 3, backoff_seconds: 1 },
    lease_seconds: 3,
    recovery_seconds: 20,
  },
};
export default subject;
