import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../env.ts';
import { assertPortFree, type NamedPort } from './port.ts';

/** Ports, addresses and folders of one demo. */
export type Topology = {
  dataDir: string;
  port: number;
  oidcPort: number;
  desklinePort: number;
  postgresPort: number;
  consoleUrl: string;
  issuer: string;
  desklineUrl: string;
};

/** Everything follows from PORT and DATA_DIR; each port can be moved on its own. */
export function topologyOf(settings: Settings): Topology {
  const port = settings.PORT;
  const oidcPort = settings.OIDC_PORT ?? port + 1;
  const desklinePort = settings.DESKLINE_PORT ?? port + 2;
  return {
    dataDir: path.resolve(settings.DATA_DIR),
    port,
    oidcPort,
    desklinePort,
    postgresPort: settings.PG_PORT ?? port + 3,
    consoleUrl: `http://localhost:${port}`,
    // another host than the console's: cookies ignore ports
    issuer: `http://127.0.0.1:${oidcPort}`,
    desklineUrl: `http://127.0.0.1:${desklinePort}`,
  };
}

/** All but Postgres's: an orphan of ours may hold that one, and its start knows how to tell. */
export async function assertPortsFree(topology: Topology, patienceMs: number): Promise<void> {
  const wanted: NamedPort[] = [
    { port: topology.port, setting: 'PORT', what: 'the console' },
    { port: topology.oidcPort, setting: 'OIDC_PORT', what: 'the local identity provider' },
    { port: topology.desklinePort, setting: 'DESKLINE_PORT', what: 'Deskline' },
  ];
  const deadline = performance.now() + patienceMs;
  for (const one of wanted) {
    while (true) {
      try {
        await assertPortFree(one);
        break;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }
}
