import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Outcome } from '../../executor/index.ts';
import { FIRST_POLICY, type Policy } from './policy.ts';
import type { Step } from './plan/step.ts';

/** How far an agent has come with a step. */
export type Progress = {
  /** `open`: delivered until it ends. `after`: ended, and delivered once more later. */
  stage: 'open' | 'after' | 'over';
  deliveries: number;
  /** Its worker was killed, so the next one is left alone. */
  killed: boolean;
  /** The successor that a person's decision named. */
  successorKey: string | null;
  /** The receipt, once one is known. */
  reference: string | null;
  last: { status: Outcome['status']; reason: string | null; at: string } | null;
};

export const NOT_BEGUN: Progress = {
  stage: 'open',
  deliveries: 0,
  killed: false,
  successorKey: null,
  reference: null,
  last: null,
};

/** Where the workload's database and downstream are; without passwords. */
export type Places = { databaseHost: string; databaseName: string; desklineUrl: string };

export type Journaled = { step: Step; progress: Progress };

/** What the agents know of their workflows: durable, so that a second start goes on where the first one ended. */
export type Journal = {
  /** How many things of the plan have been begun. */
  position: () => number;
  /** Begins the next thing of the plan: a step, or something else. */
  begin: (step: Step | null) => void;
  save: (number: number, progress: Progress) => void;
  find: (number: number) => Journaled | undefined;
  /** Every step that is not over, oldest first. */
  unfinished: () => Journaled[];
  /** The steps that were over last. */
  finished: (most: number) => Journaled[];
  addKill: (kill: { key: string; at: string; worker: string }) => void;
  policy: () => Policy;
  setPolicy: (policy: Policy) => void;
  /** Kept for commands that look at the running demo. */
  setPlaces: (places: Places) => void;
  /** Made at the first start; hexadecimal. */
  fieldDigestKey: () => string;
  close: () => void;
};

const SCHEMA = `
  create table if not exists steps (
    number integer primary key,
    step text not null,
    progress text not null,
    over integer not null default 0
  ) strict;
  create index if not exists steps_unfinished on steps (number) where over = 0;
  create table if not exists kills (
    number integer primary key,
    key text not null,
    boundary text not null,
    worker text not null,
    at text not null
  ) strict;
  create table if not exists facts (name text primary key, value text not null) strict;
`;

export const journalFile = (dir: string) => path.join(dir, 'journal.sqlite');

/** Opens (or makes) the journal below `dir`. */
export function openJournal(dir: string): Journal {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(journalFile(dir), { timeout: 5_000 });
  db.exec('pragma journal_mode = wal; pragma synchronous = normal');
  db.exec(SCHEMA);

  const readFact = (name: string) => {
    const row = db.prepare('select value from facts where name = ?').get(name);
    return row === undefined ? undefined : String(row['value']);
  };
  const writeFact = (name: string, value: string) => {
    db.prepare('insert or replace into facts (name, value) values (?, ?)').run(name, value);
  };
  const position = () => Number(readFact('position') ?? 0);

  return {
    position,
    begin: (step) => {
      db.exec('begin immediate');
      if (step !== null)
        db.prepare('insert or ignore into steps (number, step, progress) values (?, ?, ?)').run(
          step.number,
          JSON.stringify(step),
          JSON.stringify(NOT_BEGUN),
        );
      writeFact('position', String(position() + 1));
      db.exec('commit');
    },
    save: (number, progress) => {
      db.prepare('update steps set progress = ?, over = ? where number = ?').run(
        JSON.stringify(progress),
        progress.stage === 'over' ? 1 : 0,
        number,
      );
    },
    find: (number) => {
      const row = db.prepare('select step, progress from steps where number = ?').get(number);
      return row === undefined ? undefined : toJournaled(row);
    },
    unfinished: () =>
      db.prepare('select step, progress from steps where over = 0 order by number').all().map(toJournaled),
    finished: (most) =>
      db
        .prepare('select step, progress from steps where over = 1 order by number desc limit ?')
        .all(most)
        .map(toJournaled),
    addKill: ({ key, at, worker }) => {
      db.prepare('insert into kills (key, boundary, worker, at) values (?, ?, ?, ?)').run(
        key,
        at,
        worker,
        new Date().toISOString(),
      );
    },
    policy: () => {
      const stored = readFact('policy');
      return stored === undefined ? FIRST_POLICY : (JSON.parse(stored) as Policy);
    },
    setPolicy: (policy) => writeFact('policy', JSON.stringify(policy)),
    setPlaces: (places) => writeFact('places', JSON.stringify(places)),
    fieldDigestKey: () => {
      const stored = readFact('field_digest_key');
      if (stored !== undefined) return stored;
      const made = randomBytes(32).toString('hex');
      writeFact('field_digest_key', made);
      return made;
    },
    close: () => db.close(),
  };
}

function toJournaled(row: Record<string, unknown>): Journaled {
  return {
    step: JSON.parse(String(row['step'])) as Step,
    progress: JSON.parse(String(row['progress'])) as Progress,
  };
}
