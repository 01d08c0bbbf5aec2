import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import subjects from '../../demo/faults/subjects.ts';
import type { FaultSubject } from '../subject.ts';

/** Refunds behind a bridge with an allow-list of headers: the provider never sees the idempotency key. */
const ALLOWED = ['content-type', 'accept', 'x-request-id'];

async function forward(to: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const name of ALLOWED) {
    const value = incoming.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const answer = await fetch(`${to}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
  outgoing.end(await answer.text());
}

const refunds = subjects.find(({ name }) => name === 'refunds.create') as FaultSubject;

const subject: FaultSubject = {
  ...refunds,
  startDownstream: async () => {
    const deskline = await refunds.startDownstream();
    const bridge = createServer((incoming, outgoing) => {
      forward(deskline.url, incoming, outgoing).catch(() => outgoing.destroy());
    });
    bridge.listen(0, '127.0.0.1');
    await once(bridge, 'listening');
    const address = bridge.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return {
      ...deskline,
      url: `http://127.0.0.1:${port}`,
      close: async () => {
        bridge.closeAllConnections();
        bridge.close();
        await deskline.close();
      },
    };
  },
};
export default subject;
