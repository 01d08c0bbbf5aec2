import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asSuperuser } from '../../db/prepare-database.ts';
import { freePort } from '../../lib/demo/supervisor/port.ts';
import { runRound, type Round } from '../measure.ts';
import { newIds, rowOf, type BenchRow } from '../works.ts';

const HERE = import.meta.dirname;
const CONCURRENCIES = [1, 64, 512];

type Told =
  'ready' | { failed: string } | (Omit<Round, 'latencies'> & { latencies: number[]; effects: number });

/**
 * First calls of DBOS Transact and Restate, each in a process of its own, in turns with the floor. A peer that cannot run
 * here is left out, and `say` is told why.
 */
export async function measurePeers(
  urls: { superuser: string },
  connections: number,
  floorCall: (workflowId: string) => Promise<void>,
  options: { turns: number; roundMs: number },
  say: (message: string) => void,
): Promise<BenchRow[]> {
  if (!existsSync(path.join(HERE, 'node_modules'))) {
    say('installing the peers into bench/peers/node_modules');
    const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: HERE,
    });
    if (status !== 0) {
      say('the peers are left out: npm install failed in bench/peers');
      return [];
    }
  }
  await asSuperuser(urls.superuser, (client) => client.query('create database dbos'));
  const dbosUrl = new URL(urls.superuser);
  dbosUrl.pathname = '/dbos';
  const folder = mkdtempSync(path.join(tmpdir(), 'replay-desk-restate-'));
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const peers: [work: string, file: string, args: string[]][] = [
    ['dbos_first_call', 'dbos.mjs', [dbosUrl.href, String(connections)]],
    ['restate_first_call', 'restate.mjs', [folder, ...ports.map(String)]],
  ];
  const rows: BenchRow[] = [];
  try {
    for (const [work, file, args] of peers) {
      const child = fork(path.join(HERE, file), args, {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        cwd: HERE,
      });
      try {
        await ask(child);
        let calls = 0;
        for (const concurrency of CONCURRENCIES) {
          say(`${work} at ${concurrency} concurrent`);
          const own: Round[] = [];
          const floor: Round[] = [];
          for (let turn = -1; turn < options.turns; turn++) {
            const idOf = newIds();
            const base = await runRound(concurrency, options.roundMs, (n) => floorCall(idOf(n)));
            const told = await ask(child, { concurrency, ms: options.roundMs });
            calls += told.calls;
            if (told.effects !== calls) throw new Error(`${calls} calls made ${told.effects} effects`);
            if (turn < 0) continue;
            floor.push(base);
            own.push({ ...told, latencies: Float64Array.from(told.latencies).sort() });
          }
          rows.push(rowOf(work, concurrency, own, floor));
        }
      } catch (error) {
        say(`${work} is left out: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        child.kill('SIGTERM');
      }
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(child: ChildProcess, question?: { concurrency: number; ms: number }) {
  const told = await new Promise<Told>((resolve) => {
    child.once('message', resolve);
    child.once('exit', (code) => resolve({ failed: `its process ended with ${String(code)}` }));
    if (question !== undefined) child.send(question);
  });
  child.removeAllListeners();
  if (typeof told === 'object' && 'failed' in told) throw new Error(told.failed);
  return told === 'ready' ? { calls: 0, seconds: 0, latencies: [], effects: 0 } : told;
}
