import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERY_CAPABILITY, everyFacts, everyShape, withEachOther } from '../lib/domain/every-facts.ts';
import { EVIDENCE_FACTS, unreachable, type Facts } from '../lib/domain/facts.ts';
import { EVENTS, VERDICTS } from '../lib/domain/states.ts';
import { isAllowed, nextState } from '../lib/domain/transitions.ts';
import { isRevocable, judgeVerdict, needsSecondPerson } from '../lib/domain/verdict.ts';
import { testDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new Client({ connectionString: database.urls.executor });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const inSql = ({ capabilities, ...f }: Facts) => ({
  ...Object.fromEntries(
    Object.entries(f).map(([k, v]) => [k.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`), v]),
  ),
  ...capabilities,
});

/** A stated fraction of the enumeration: every 37th combination, and each rarely read field on every 50th of those. */
function sample(): Facts[] {
  const taken: Facts[] = [];
  let n = 0;
  for (const f of everyFacts()) {
    if (unreachable(f) !== null || n++ % 37 !== 0) continue;
    taken.push(...(taken.length % 50 === 0 ? withEachOther(f) : [f]));
  }
  return [...taken, ...fc.sample(anyFacts, { numRuns: 4000, seed: 20_261_201 })];
}

const bool = fc.boolean();
/** Every field at random at once: combinations that no walk along single fields reaches. */
const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    shape: fc.constantFrom(...everyShape()),
    rest: fc.record({
      ended: bool,
      due: bool,
      attemptsLeft: bool,
      evidence: fc.constantFrom(...EVIDENCE_FACTS),
      asked: bool,
      keyWindow: fc.constantFrom('open', 'shut'),
      recoverPassed: bool,
      jobOpen: bool,
      versionHeld: bool,
      approval: fc.constantFrom('not_needed', 'valid', 'missing'),
      predecessor: fc.constantFrom('none', 'standing', 'changed'),
      manual: bool,
      contradicted: bool,
      retention: fc.constantFrom('within', 'past'),
      abandonPassed: bool,
      epoch: fc.constantFrom('current', 'older'),
      capabilities: fc.constantFrom(...EVERY_CAPABILITY),
    }),
  })
  .map(({ shape, rest }) => ({ ...shape, ...rest }));

/** In portions, since a statement has its time and a busy machine is not a failure. */
async function ask<T>(facts: Facts[], expression: string): Promise<T[]> {
  const answers: T[] = [];
  for (let from = 0; from < facts.length; from += 2_000) {
    const portion = facts.slice(from, from + 2_000);
    const { rows } = await client.query<{ answers: T[] }>(
      `select jsonb_agg(${expression} order by n) as answers
       from (select row_number() over () as n, f from jsonb_populate_recordset(null::app.facts, $1::jsonb) f) as given`,
      [JSON.stringify(portion.map(inSql))],
    );
    answers.push(...(rows[0]?.answers ?? []));
  }
  return answers;
}

test('app.allowed and app.next_state equal transitions.ts on the same enumeration', async () => {
  const facts = sample();
  expect(facts.length).toBeGreaterThan(8000);
  const events = `(select array_agg(e order by o) from unnest('{${EVENTS.join(',')}}'::text[]) with ordinality u(e, o) where app.allowed(e, f))`;
  const allowed = await ask<string[] | null>(facts, events);
  const states = await ask<Record<string, string>>(
    facts,
    `(select jsonb_object_agg(e, app.next_state(e, f)) from unnest('{${EVENTS.join(',')}}'::text[]) e where e <> 'amend')`,
  );
  for (const [i, f] of facts.entries()) {
    const here = EVENTS.filter((event) => isAllowed(event, f));
    expect(allowed[i] ?? [], JSON.stringify(f)).toEqual(here);
    for (const event of here) {
      if (event === 'amend') continue;
      const to = nextState(event, f);
      const text = to.pendingReason === null ? to.status : `${to.status}/${to.pendingReason}`;
      expect(states[i]?.[event], `${event} ${JSON.stringify(f)}`).toBe(text);
    }
  }
}, 120_000);

test('app.verdict_refusal equals verdict.ts, for each verdict, receipt and second person', async () => {
  const facts = sample().filter((_, i) => i % 8 === 0);
  for (const verdict of VERDICTS)
    for (const receipt of ['ticket_1042', ' ', null])
      for (const receiptTaken of [false, true])
        for (const secondPerson of [false, true]) {
          const literal = receipt === null ? 'null' : `'${receipt}'`;
          const refusals = await ask<string | null>(
            facts,
            `app.verdict_refusal('${verdict}', f, ${literal}, ${receiptTaken}, ${secondPerson})`,
          );
          const pairs = await ask<boolean>(
            facts,
            `app.needs_second_person('${verdict}', f, ${receiptTaken})`,
          );
          for (const [i, f] of facts.entries()) {
            const said = judgeVerdict(verdict, f, {
              roles: ['operator'],
              receipt,
              receiptTaken,
              secondPerson,
            });
            expect(refusals[i] ?? null, `${verdict} ${JSON.stringify(f)}`).toBe(said.refusal);
            expect(pairs[i], `${verdict} ${JSON.stringify(f)}`).toBe(
              needsSecondPerson(verdict, f, receiptTaken),
            );
          }
        }
}, 120_000);

test('app.is_revocable equals verdict.ts: a successor is revoked only while it provably has not run', async () => {
  const facts = sample();
  const revocable = await ask<boolean>(facts, 'app.is_revocable(f)');
  for (const [i, f] of facts.entries()) {
    expect(revocable[i], JSON.stringify(f)).toBe(isRevocable(f));
    if (isRevocable(f))
      expect([f.doubt, f.status, f.sent && f.lease === 'live']).toEqual(['none', 'pending', false]);
  }
}, 120_000);
