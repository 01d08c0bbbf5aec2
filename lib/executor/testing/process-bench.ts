import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { closeClients, executorSql } from '../../../db/client.ts';
import { startMortalCluster, type MortalCluster } from '../../../db/testing/mortal-cluster.ts';
import { startLink, type Link } from '../../../scripts/chaos/link.ts';
import { stepOf, type Step } from '../../../scripts/chaos/step.ts';
import {
  ARGUMENTS,
  chaosTools,
  KINDS,
  toolName,
  type Kind,
  type Times,
} from '../../../scripts/chaos/tools.ts';
import { desklineControl, type DesklineControl } from '../../demo/deskline/client.ts';
import { startDeskline, type Deskline } from '../../demo/deskline/start-deskline.ts';
import { createExecutor, postgresStore, type Authorize, type Executor, type Outcome } from '../index.ts';
import { permit, type Stored } from './bench.ts';

/** An executor of a process bench; `linked`: its statements go through the breakable link. */
interface BenchExecutor {
  linked?: boolean;
  times?: Times;
  worker?: string;
  deadlineMs?: number;
  authorize?: Authorize;
}

/** A Postgres that may die, a Deskline, and a breakable link to each. */
export interface ProcessBench {
  cluster: MortalCluster;
  deskline: Deskline;
  control: DesklineControl;
  database: Link;
  /** An executor of this process, by the link where `linked`. */
  executor: (options?: BenchExecutor) => Promise<Executor>;
  deliver: (executor: Executor, step: Step) => Promise<Outcome>;
  sql: (text: string, values?: unknown[]) => Promise<Stored[]>;
  row: (step: Step) => Promise<Stored>;
  kinds: (step: Step) => Promise<unknown[]>;
  /** The references of the records that Deskline counted for the step's key. */
  effects: (step: Step) => Promise<string[]>;
  close: () => Promise<void>;
}

let steps = 0;
/** A step of its own for each call. */
export const newStepOf = (kind: Kind): Step => stepOf(KINDS.length * ++steps + KINDS.indexOf(kind));

export async function openProcessBench(): Promise<ProcessBench> {
  const dir = await mkdtemp(path.join(tmpdir(), 'process-bench-'));
  const [cluster, deskline] = await Promise.all([startMortalCluster(), startDeskline({ port: 0, dir })]);
  const control = desklineControl(deskline.url);
  const { hostname: host, port } = new URL(cluster.urls.executor);
  const database = await startLink({ host, port: Number(port) });
  const sql = async (text: string, values: unknown[] = []) => {
    const client = new Client({ connectionString: cluster.urls.superuser });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Stored>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    cluster,
    deskline,
    control,
    database,
    sql,
    executor: ({
      linked = false,
      times,
      worker = 'worker-1',
      deadlineMs = 5_000,
      authorize = permit,
    } = {}) => {
      const url = cluster.urls.executor;
      return createExecutor({
        environments: ['production'],
        store: postgresStore(executorSql(linked ? database.url(url) : url, { deadlineMs })),
        tools: Object.values(chaosTools({ url: deskline.url }, times)),
        authorize,
        worker,
      });
    },
    deliver: (executor, { kind, context }) => executor.execute(toolName(kind), ARGUMENTS[kind], context),
    row: async ({ key }) => {
      const [row] = await sql('select * from tool_operations where operation_key = $1', [key]);
      return row ?? {};
    },
    kinds: async ({ key }) =>
      (
        await sql('select kind from tool_operation_events where operation_key = $1 order by event_id', [key])
      ).map(({ kind }) => kind),
    effects: async ({ key }) =>
      (await control.effectsFor(key))
        .filter(({ kind }) => kind === 'record')
        .map(({ reference }) => reference),
    close: async () => {
      await closeClients();
      await database.close();
      await deskline.close();
      await cluster.remove();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
