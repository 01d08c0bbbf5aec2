import type { Sql } from '../../client.ts';

/** This server's epoch and whether it is accepted; written down when it is first seen. */
export const seeEpoch = (sql: Sql) =>
  sql<
    { answer: unknown }[]
  >`select jsonb_build_object('epoch', e.epoch, 'accepted', e.accepted_at is not null) as answer from app.see_epoch() e`;
