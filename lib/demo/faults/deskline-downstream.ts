import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { foreignEnvironment } from '../../env.ts';
import type { FakeDownstream, HeldAt, Malformation } from '../../faults/subject.ts';
import { desklineControl, type DesklineControl } from '../deskline/client.ts';
import type { EffectResource } from '../deskline/resources.ts';
import { launchChild } from '../supervisor/child.ts';
import { freePort } from '../supervisor/port.ts';

const MALFORMED: Record<Malformation, string> = {
  not_json: 'malformed_body',
  cut_off: 'truncated_body',
  no_receipt: 'incomplete_body',
  wrong_receipt: 'wrong_receipt',
};

/** A Deskline process of its own, as a fault run sees it. Its faults are rules for one key, each firing once. */
export async function startDesklineDownstream(
  resource: EffectResource,
  change: (control: DesklineControl, url: string) => Partial<FakeDownstream> = () => ({}),
): Promise<FakeDownstream> {
  const dir = await mkdtemp(path.join(tmpdir(), 'replay-desk-faults-'));
  const port = await freePort();
  const child = launchChild({
    name: 'Deskline',
    file: path.join(import.meta.dirname, '../deskline/main.ts'),
    args: ['--port', String(port), '--data', dir],
    env: { ...foreignEnvironment(), NODE_ENV: 'production' },
    ready: /ready/,
    readySeconds: 30,
    graceSeconds: 5,
    log: path.join(dir, 'deskline.log'),
  });
  await child.ready;
  const url = `http://127.0.0.1:${port}`;
  const control = desklineControl(url);
  const once = async (key: string, fault: string) => {
    await control.addFaults([{ resource, fault, key_prefix: key, times: 1 }]);
  };
  return {
    url,
    effects: async (key) =>
      (await control.effectsFor(key))
        .filter(({ kind }) => kind === 'record')
        .map(({ reference }) => reference),
    received: (key) => control.received(key),
    hold: async (key: string, at: HeldAt) => {
      await once(key, `hold_${at}`);
      return {
        reached: async () => (await control.held()).some((held) => held.key === key && held.at === at),
        release: async () => {
          await control.release(key, at);
        },
      };
    },
    drop: (key) => once(key, 'commit_then_drop'),
    silence: (key) => once(key, 'hang'),
    notNow: (key) => once(key, 'not_now'),
    refuse: (key) => once(key, 'refuse'),
    malform: (key, how) => once(key, MALFORMED[how]),
    ...change(control, url),
    close: async () => {
      await child.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** What a resource whose writes are jobs can do besides. */
export const withJobs =
  (resource: EffectResource) =>
  (control: DesklineControl, url: string): Partial<FakeDownstream> => ({
    jobs: async (key) => {
      const response = await fetch(`${url}/jobs?key=${encodeURIComponent(key)}`);
      return ((await response.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
    },
    holdJob: async (key) => {
      await control.addFaults([{ resource, fault: 'job_stands_still', key_prefix: key, times: 1 }]);
    },
    endJob: async (key, as) => {
      await control.endJobs(key, as);
    },
  });
