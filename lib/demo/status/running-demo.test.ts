import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '../supervisor/lock.ts';
import { openJournal } from '../workload/journal.ts';
import { findRunningDemo } from './running-demo.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'demo-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('findRunningDemo', () => {
  test('says that no demo runs, and how to start it', () => {
    expect(() => findRunningDemo(dir)).toThrow(/not running in .*npm start/);
  });

  test('says that the demo is still starting', () => {
    acquireLock(dir, 'http://localhost:3000');
    expect(() => findRunningDemo(dir)).toThrow('The demo on http://localhost:3000');
  });

  test('finds database and downstream by what the demo wrote, and reads as the auditor', () => {
    acquireLock(dir, 'http://localhost:3000');
    const journal = openJournal(path.join(dir, 'workload'));
    journal.setPlaces({
      databaseHost: '127.0.0.1:3003',
      databaseName: 'replay_desk',
      desklineUrl: 'http://127.0.0.1:3002',
    });
    const demo = findRunningDemo(dir);
    journal.close();
    expect(demo).toMatchObject({ desklineUrl: 'http://127.0.0.1:3002', workerKills: 0 });
    expect(demo.auditorUrl).toMatch(/^postgres:\/\/replay_auditor:[^@]+@127\.0\.0\.1:3003\/replay_desk$/);
  });
});
