import { closeClients } from '../db/client.ts';
import { openDatabase } from './database.ts';
import { newReference, openFloor } from './floor.ts';
import { median, quantile, runRound } from './measure.ts';
import { openSubject } from './subject.ts';

const [mode = 'both', levels = '1,64,512', ms = '700', rounds = '5'] = process.argv.slice(2);
const db = await openDatabase(() => {});
let effects = 0;
const effect = () => {
  effects++;
  return newReference();
};
const floor = await openFloor(db.urls.superuser, 8, effect);
const subject = await openSubject(db.urls, 8, effect);
let run = 0;
async function one(work: (s: string) => Promise<void>, c: number, t = Number(ms)) {
  const id = `run_${String(++run).padStart(6, '0')}`;
  const r = await runRound(c, t, (n) => work(`${id}_${n}:create_ticket`));
  return {
    rate: r.calls / r.seconds,
    p50: quantile(r.latencies, 0.5),
    p99: quantile(r.latencies, 0.99),
    id,
    calls: r.calls,
  };
}
try {
  await one(floor.firstCall, 8, 500);
  await one(subject.firstCall, 8, 1000);
  for (const c of levels.split(',').map(Number)) {
    const fs = [],
      ss = [];
    for (let i = 0; i < Number(rounds); i++) {
      if (mode !== 'subject') fs.push(await one(floor.firstCall, c));
      if (mode !== 'floor') ss.push(await one(subject.firstCall, c));
    }
    const f = (k: 'rate' | 'p50' | 'p99', a: any[]) => median(a.map((x) => x[k]));
    console.log(
      c,
      'floor',
      f('rate', fs).toFixed(0),
      f('p50', fs).toFixed(2),
      'first',
      f('rate', ss).toFixed(0),
      f('p50', ss).toFixed(2),
      f('p99', ss).toFixed(1),
      'ratio',
      median(ss.map((s, i) => s.rate / (fs[i]?.rate ?? NaN))).toFixed(2),
      'p50r',
      median(ss.map((s, i) => s.p50 / (fs[i]?.p50 ?? NaN))).toFixed(2),
    );
    if (mode === 'all') {
      const base = await one(floor.firstCall, c);
      const sb = await one(subject.firstCall, c);
      const r = { fr: [] as any[], sr: [] as any[], mm: [] as any[], st: [] as any[] };
      for (let i = 0; i < Number(rounds); i++) {
        const ro = async (w: (s: string) => Promise<void>, b: any) => {
          const x = await runRound(c, Number(ms), (n) => w(`${b.id}_${n % b.calls}:create_ticket`));
          return { rate: x.calls / x.seconds, p50: quantile(x.latencies, 0.5) };
        };
        r.fr.push(await ro(floor.replay, base));
        r.sr.push(await ro(subject.replay, sb));
        r.mm.push(await ro(subject.mismatch, sb));
        r.st.push(await ro(subject.status, sb));
      }
      console.log(
        '   floor_replay',
        f('rate', r.fr).toFixed(0),
        'replay',
        f('rate', r.sr).toFixed(0),
        (f('rate', r.sr) / f('rate', r.fr)).toFixed(2),
        'mismatch',
        f('rate', r.mm).toFixed(0),
        'status',
        f('rate', r.st).toFixed(0),
      );
    }
  }
} finally {
  await floor.close();
  await subject.close();
  await closeClients();
  await db.close();
}
