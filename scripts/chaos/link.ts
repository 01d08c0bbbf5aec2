import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the next bytes of one side meet. `hold` keeps them until `release`. */
export type Trouble = 'reset' | 'black_hole' | 'hold' | { delayMs: number };
export type Side = 'request' | 'reply';

/** A TCP connection in between, which breaks on demand. */
export interface Link {
  /** The given URL, through this link. */
  url: (target: string) => string;
  /**
   * Resolves when the next bytes of `side` that contain the text meet it. A black hole stays until `heal`; the others
   * meet once.
   */
  trouble: (side: Side, what: Trouble, containing?: string) => Promise<void>;
  /** Lets go what is held. */
  release: () => void;
  /** Ends a black hole and the connections in it. */
  heal: () => void;
  close: () => Promise<void>;
}

export async function startLink(target: { host: string; port: number }): Promise<Link> {
  let next: { side: Side; what: Trouble; containing: string; met: () => void } | undefined;
  let isHole = false;
  let release = () => {};
  const pairs = new Map<Socket, Socket>();
  const lost = new Set<Socket>();

  const cut = (client: Socket) => {
    client.resetAndDestroy();
    pairs.get(client)?.resetAndDestroy();
    pairs.delete(client);
  };
  const pass = async (side: Side, client: Socket, to: Socket, bytes: Buffer): Promise<void> => {
    if (isHole) lost.add(client);
    if (lost.has(client)) return;
    if (next?.side === side && bytes.includes(next.containing)) {
      const { what, met } = next;
      next = undefined;
      met();
      if (what === 'reset') return cut(client);
      if (what === 'black_hole') {
        isHole = true;
        lost.add(client);
        return;
      }
      if (what === 'hold')
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      else await sleep(what.delayMs);
    }
    if (!to.destroyed) to.write(bytes);
  };

  const server = createServer((client) => {
    const upstream = connect(target);
    pairs.set(client, upstream);
    for (const [side, from, to] of [
      ['request', client, upstream],
      ['reply', upstream, client],
    ] as const) {
      let before = Promise.resolve(); // in order, also behind what waits
      from.on('data', (bytes) => {
        before = before.then(() => pass(side, client, to, bytes));
      });
      from.on('error', () => {});
      from.on('close', () => {
        void before.then(() => {
          if (!lost.has(client)) to.destroy();
          pairs.delete(client);
        });
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const heal = () => {
    isHole = false;
    for (const client of lost) cut(client);
    lost.clear();
  };
  return {
    url: (given) => {
      const url = new URL(given);
      url.host = `127.0.0.1:${port}`;
      return url.pathname === '/' ? url.origin : url.href;
    },
    trouble: (side, what, containing = '') =>
      new Promise((met) => {
        next = { side, what, containing, met };
      }),
    release: () => release(),
    heal,
    close: async () => {
      heal();
      for (const client of pairs.keys()) cut(client);
      server.close();
      await once(server, 'close');
    },
  };
}
