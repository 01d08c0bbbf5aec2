import { connect, createServer, type AddressInfo } from 'node:net';

/** A port that the product must have, and the setting that moves it. */
export type NamedPort = { port: number; setting: string; what: string };

/** Thrown when a port belongs to somebody else; the message is the sentence for the person who starts us. */
export class PortInUse extends Error {
  override readonly name = 'PortInUse';
  readonly port: number;

  constructor({ port, setting, what }: NamedPort) {
    super(
      `Port ${port} is in use, and ${what} needs it. Set ${setting} to a free port, or stop what holds it.`,
    );
    this.port = port;
  }
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.setTimeout(1_000, () => socket.destroy(new Error('timeout')));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function binds(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Refuses with `PortInUse` unless `port` on loopback is free.
 *
 * Binding alone is not enough: a server on `[::1]` leaves 127.0.0.1 free and yet answers for `localhost`.
 */
export async function assertPortFree(wanted: NamedPort): Promise<void> {
  const taken = await Promise.all([answers(wanted.port, '127.0.0.1'), answers(wanted.port, '::1')]);
  if (taken.includes(true) || !(await binds(wanted.port))) throw new PortInUse(wanted);
}

/** A loopback port that was free a moment ago, chosen by the operating system. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
