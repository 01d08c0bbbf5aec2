import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

/**
 * Plays any child of the demo: takes its port, says that it is ready, notes its process id and what it was given
 * in DATA_DIR/stand-ins, and ends on SIGTERM. As `workload` it has a worker process of its own.
 */
const [name = '', port, ...modes] = process.argv.slice(2);
const folder = path.join(process.env['DATA_DIR'] ?? '', 'stand-ins');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ pid: process.pid, env: process.env }));

if (modes.includes('fails')) {
  console.error('the stand-in was told to fail');
  process.exit(3);
}
if (name === 'workload') fork(import.meta.filename, ['worker', '0']);
process.once('SIGTERM', () => {
  console.log(`${name} ends`);
  process.exit(0);
});

if (name === 'worker') process.once('disconnect', () => process.exit(0));

const ready = () => console.log(name === 'console' ? 'Ready in 1 ms' : `[${name}] ready`);
const server = createServer((_request, response) => response.end('{}'));
server.listen(Number(port), '127.0.0.1', ready);
