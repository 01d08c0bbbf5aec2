import { readFileSync } from 'node:fs';
import { openFloor, newReference } from './floor.ts';
import { runRound } from './measure.ts';
import { execSync } from 'node:child_process';
const urls = JSON.parse(readFileSync('/tmp/bench-urls.json', 'utf8'));
import pg from 'pg';
const c = new pg.Client({ connectionString: urls.superuser });
await c.connect();
await c.query('drop table if exists floor_operations');
await c.end();
const f = await openFloor(urls.superuser, 8, newReference);
const pgcpu = () =>
  execSync(`cat /proc/[0-9]*/stat 2>/dev/null | grep -a '(postgres)' || true`)
    .toString()
    .split('\n')
    .reduce((a, l) => {
      const x = l.split(') ')[1]?.split(' ');
      return x ? a + (Number(x[11]) + Number(x[12])) * 1e4 : a;
    }, 0);
for (const conc of [1, 64, 512]) {
  await runRound(conc, 700, (n) => f.firstCall(`w${conc}_${n}:x`));
  const a = pgcpu(),
    b = process.cpuUsage();
  const r = await runRound(conc, 2500, (n) => f.firstCall(`r${conc}_${n}:x`));
  const d = process.cpuUsage(b);
  console.log(
    'floor',
    conc,
    (r.calls / r.seconds).toFixed(0),
    '/s',
    'node us',
    ((d.user + d.system) / r.calls).toFixed(0),
    'pg us (all postgres on this machine)',
    ((pgcpu() - a) / r.calls).toFixed(0),
  );
}
await f.close();
