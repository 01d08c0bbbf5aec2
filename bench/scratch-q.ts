import { readFileSync } from 'node:fs';
import pg from 'pg';
const urls = JSON.parse(readFileSync('/tmp/bench-urls.json', 'utf8'));
const c = new pg.Client({ connectionString: urls[process.env.ROLE ?? 'superuser'] });
c.on('notice', (n) => console.log('NOTICE', n.message));
await c.connect();
for (const q of readFileSync(0, 'utf8').split(/;;\n/)) {
  if (!q.trim()) continue;
  const t = performance.now();
  try {
    const r = await c.query(q);
    for (const x of Array.isArray(r) ? r : [r])
      for (const row of (x.rows ?? []).slice(0, 60))
        console.log(
          Object.values(row)
            .map((v) => (typeof v === 'object' ? JSON.stringify(v) : String(v)))
            .join(' | '),
        );
  } catch (e) {
    console.log('ERROR', (e as Error).message, (e as any).where ?? '');
  }
  console.log(`-- ${(performance.now() - t).toFixed(1)} ms`);
}
await c.end();
