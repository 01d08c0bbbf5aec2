import { afterAll, describe } from 'vitest';
import { closeClients } from '../../db/client.ts';
import { testDatabase, type TestDatabase } from '../../db/testing/test-database.ts';
import { postgresSubject } from './testing/postgres-subject.ts';
import { storeConformance } from './testing/store-conformance.ts';

let database: TestDatabase;
let close = async () => {};
afterAll(async () => {
  await close();
  await closeClients();
  await database.drop();
});

describe('the store over Postgres', () => {
  storeConformance(async () => {
    database = await testDatabase();
    const subject = await postgresSubject(database);
    close = subject.close;
    return subject;
  });
});
