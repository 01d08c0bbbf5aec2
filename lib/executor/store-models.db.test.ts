import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeClients } from '../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { postgresSubject } from './testing/postgres-subject.ts';
import { simulatedSubject } from './testing/simulated-subject.ts';
import { anyKind, newPair, storeCommands } from './testing/store-commands.ts';
import { registerKinds, type Subject } from './testing/store-subject.ts';

let database: TestDatabase;
let real: Subject & { close: () => Promise<void> };
beforeAll(async () => {
  database = await testDatabase();
  real = await postgresSubject(database);
  await registerKinds(real.store);
});
afterAll(async () => {
  await real.close();
  await closeClients();
  await database.drop();
});

const RUNS = 100;

test(`[S42] ${RUNS} sequences of calls are answered alike by SQL and by the simulated store, record by record`, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anyKind, storeCommands(30), async (kind, commands) => {
      runs += 1;
      const model = simulatedSubject();
      await registerKinds(model.store);
      await fc.asyncModelRun(() => {
        const pair = newPair(model, real, kind);
        return { model: pair, real: pair };
      }, commands);
    }),
    { numRuns: RUNS },
  );
  expect(runs).toBeGreaterThanOrEqual(RUNS);
}, 240_000);
