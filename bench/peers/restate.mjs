import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as restate from '@restatedev/restate-sdk';
import { answerRounds, argumentsOf, effect } from './rounds.mjs';

/** Restate: one workflow per key with one durable step, called through the ingress of a server of its own. */
const [folder, ingressPort, adminPort, nodePort, servicePort] = process.argv.slice(2);
const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`;
const manifest = createRequire(import.meta.url).resolve(`${platform}/package.json`);
const server = spawn(path.join(path.dirname(manifest), 'bin', 'restate-server'), ['--base-dir', folder], {
  stdio: 'ignore',
  env: {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${nodePort}`,
    RESTATE_LOG_FILTER: 'error',
    DO_NOT_TRACK: '1',
  },
});
process.once('exit', () => server.kill('SIGKILL'));
process.once('SIGTERM', () => process.exit(0));
server.once('error', (error) => process.send({ failed: error.message }));

const ticket = restate.workflow({
  name: 'ticket',
  handlers: { run: async (ctx) => await ctx.run('create', () => effect()) },
});
await restate.serve({ services: [ticket], port: Number(servicePort) });

const deadline = performance.now() + 60_000;
for (;;) {
  const registered = await fetch(`http://127.0.0.1:${adminPort}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${servicePort}`, force: true }),
  }).catch(() => null);
  if (registered?.ok) break;
  if (performance.now() > deadline) throw new Error('restate-server was not ready after 60 s');
  await new Promise((resolve) => setTimeout(resolve, 100));
}
answerRounds(async (id) => {
  const response = await fetch(`http://127.0.0.1:${ingressPort}/ticket/${id}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(argumentsOf(id)),
  });
  const { status } = await response.json();
  if (status !== 'open') throw new Error(`${id} has no result (${response.status})`);
});
