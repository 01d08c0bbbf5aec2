import { DBOS } from '@dbos-inc/dbos-sdk';
import { answerRounds, argumentsOf, effect } from './rounds.mjs';

/** DBOS Transact: one workflow per key with one step, idempotent by the workflow's id, on the same Postgres. */
const [systemDatabaseUrl, connections] = process.argv.slice(2);
const createTicket = DBOS.registerWorkflow(
  async () => DBOS.runStep(async () => effect(), { name: 'create' }),
  { name: 'createTicket' },
);
DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl,
  systemDatabasePoolSize: Number(connections),
  logLevel: 'error',
  runAdminServer: false,
});
await DBOS.launch();
answerRounds(async (id) => {
  const handle = await DBOS.startWorkflow(createTicket, { workflowID: id })(argumentsOf(id));
  const { status } = await handle.getResult();
  if (status !== 'open') throw new Error(`${id} has no result`);
});
