import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOT_BEGUN, openJournal } from './journal.ts';
import { readJournal } from './journal-reader.ts';
import { planItem } from './plan/plan.ts';
import type { Step } from './plan/step.ts';
import { FIRST_POLICY, revoke } from './policy.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const step = (number: number): Step => {
  const item = planItem('journal', number);
  if (item.do !== 'step') throw new Error('not a step');
  return item.step;
};

describe('journal', () => {
  test('a second start finds the plan, the steps and their last answers as the first one left them', () => {
    const first = openJournal(dir);
    first.begin(step(0));
    first.begin(step(1));
    const last = { status: 'unknown', reason: 'no_answer', at: '2026-08-18T09:00:00.000Z' } as const;
    first.save(0, { ...NOT_BEGUN, deliveries: 2, last });
    first.save(1, { ...NOT_BEGUN, stage: 'over' });
    first.setPolicy(revoke(FIRST_POLICY, 'agent:outreach-2'));
    const key = first.fieldDigestKey();
    first.close();

    const second = openJournal(dir);
    expect(second.position()).toBe(2);
    expect(second.unfinished()).toEqual([{ step: step(0), progress: { ...NOT_BEGUN, deliveries: 2, last } }]);
    expect(second.finished(5).map((one) => one.step.number)).toEqual([1]);
    expect(second.policy()).toEqual({ version: '2026-08-18.2', revoked: ['agent:outreach-2'] });
    expect(second.fieldDigestKey()).toBe(key);
    second.close();
  });

  test('kills are counted over all starts, and read beside the running workload', () => {
    expect(readJournal(dir)).toBeUndefined();
    const places = {
      databaseHost: '127.0.0.1:3003',
      databaseName: 'replay_desk',
      desklineUrl: 'http://127.0.0.1:3002',
    };
    for (const at of ['before_the_wire', 'before_the_record']) {
      const journal = openJournal(dir);
      journal.setPlaces(places);
      journal.addKill({ key: 'acme:production:run:step', at, worker: 'worker-1' });
      if (at === 'before_the_record') expect(readJournal(dir)).toEqual({ kills: 2, places });
      journal.close();
    }
  });
});
