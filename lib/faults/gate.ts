import type { Sql } from '../../db/client.ts';
import { latestPassedRun } from '../../db/queries/fault_runs/latest-passed-run.ts';
import { playedTool } from './played-tool.ts';
import type { FaultSubject } from './subject.ts';

/** How old a passed run may be where the contract does not say. */
const DEFAULT_MAX_AGE_DAYS = 30;

/** Whether one tool may be released, by the runs of its contract's digest. */
export interface GateAnswer {
  tool: string;
  contract_digest: string;
  max_age_days: number;
  /** Of the latest run that passed; null where none did. */
  age_days: number | null;
  open: boolean;
}

/** Nothing is asked of the downstream here; the tool is only made for its contract. */
const NOWHERE = 'http://127.0.0.1:9';

/** Asks for each subject whether its shipped contract has a passed run that is young enough. */
export const askGate = (sql: Sql, subjects: readonly FaultSubject[]): Promise<GateAnswer[]> =>
  Promise.all(
    subjects.map(async (subject) => {
      const { shipped, shippedDigest } = playedTool(subject, NOWHERE);
      const { name, faults } = shipped.contract;
      const maxAgeDays = faults?.max_age_days ?? DEFAULT_MAX_AGE_DAYS;
      const [run] = await latestPassedRun(sql, name, shippedDigest);
      return {
        tool: name,
        contract_digest: shippedDigest,
        max_age_days: maxAgeDays,
        age_days: run?.age_days ?? null,
        open: run !== undefined && run.age_days <= maxAgeDays,
      };
    }),
  );
