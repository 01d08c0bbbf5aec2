import { executorSql } from '../../../db/client.ts';
import { createExecutor, postgresStore, type OperationContext, type Store, type Tool } from '../index.ts';
import { killedTools, type KilledTool } from './killed-tools.ts';

/**
 * A worker that performs one call and stops for good at the named boundary, where its parent kills it.
 * `after_send` and `after_commit` are seen from Deskline, so there the worker simply waits for its answer.
 */
export type Boundary = 'after_claim' | 'after_send' | 'after_commit' | 'before_record';
export type Job = {
  databaseUrl: string;
  desklineUrl: string;
  boundary: Boundary;
  tool: KilledTool;
  version: string;
  args: unknown;
  context: OperationContext;
};
export type Report = { at: Boundary } | { ended: string };

const report = (message: Report) => process.send?.(message);
const stopAt = (boundary: Boundary): Promise<never> => {
  report({ at: boundary });
  return new Promise(() => {});
};

async function work(job: Job): Promise<void> {
  const real = postgresStore(executorSql(job.databaseUrl));
  const store: Store = {
    ...real,
    transition: async (event, rows) =>
      job.boundary === 'before_record' && event === 'apply'
        ? await stopAt('before_record')
        : await real.transition(event, rows),
  };
  const tool: Tool = killedTools({ url: job.desklineUrl }, job.version)[job.tool];
  const executor = await createExecutor({
    environments: ['production'],
    store,
    tools: [tool],
    worker: `worker-${process.pid}`,
    authorize: async ({ phase }) => {
      if (job.boundary === 'after_claim' && phase === 'effect') await stopAt('after_claim');
      return { allowed: true, policyVersion: '1' };
    },
  });
  const { status } = await executor.execute(tool.contract.name, job.args, job.context);
  report({ ended: status });
}

process.once('disconnect', () => process.exit(1));
process.once('message', (job: Job) => {
  work(job).catch((error: unknown) => report({ ended: String(error) }));
});
