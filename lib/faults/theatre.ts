import { randomUUID } from 'node:crypto';
import { statementClient } from '../../db/statement-client.ts';
import { playedTool, type PlayedTool } from './played-tool.ts';
import type { Theatre } from './stage.ts';
import type { FaultSubject } from './subject.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export interface OpenTheatre extends Theatre, PlayedTool {
  close(): Promise<void>;
}

/** Starts a subject's downstream and its workers; whatever was started is ended when a part of it fails. */
export async function openTheatre(
  module: string,
  subject: FaultSubject,
  databaseUrl: string,
): Promise<OpenTheatre> {
  const workers: WorkerProcess[] = [];
  const downstream = await subject.startDownstream();
  const sql = statementClient(databaseUrl, { max: 2, applicationName: 'replay-desk faults' });
  let serial = 0;
  const start = async (name: string, duties: boolean) => {
    const worker = await startWorker({
      module,
      subject: subject.name,
      downstreamUrl: downstream.url,
      databaseUrl,
      worker: name,
      duties,
      sealingKey,
    });
    workers.push(worker);
    return worker;
  };
  const close = async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await downstream.close();
    await sql.end({ timeout: 2 });
  };
  const sealingKey = randomUUID().replaceAll('-', '');
  try {
    const tools = playedTool(subject, downstream.url);
    const [near, far] = await Promise.all([start('near', true), start('far', true)]);
    return {
      ...tools,
      tool: tools.played,
      run: `run_${randomUUID().slice(0, 8)}`,
      subject,
      downstream,
      sql,
      near,
      far,
      next: () => ++serial,
      victim: () => start(`victim-${++serial}`, false),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
