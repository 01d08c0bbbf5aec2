import { randomUUID } from 'node:crypto';
import { Client, Pool } from 'pg';
import { insertContract, insertUser } from './factories.ts';
import { testDatabase } from './test-database.ts';

type Answer = Record<string, unknown>;
export type Said = {
  user?: string;
  key: string;
  version?: number;
  id?: string;
  verdict?: string;
  reason?: string;
  reference?: string | null;
  evidence?: string[];
  environment?: string;
};

/** A database with an operator and an approver, and the console's calls on proposals as the console role makes them. */
export async function openTwoPersons() {
  const database = await testDatabase();
  const superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
  const pool = new Pool({ connectionString: database.urls.console, max: 16 });
  await insertContract(superuser);
  const operator = await insertUser(superuser, ['operator'], { name: 'Ines Okafor' });
  const approver = await insertUser(superuser, ['approver'], { name: 'Marek Brandt' });

  const call = async (name: string, values: unknown[]): Promise<Answer> => {
    const places = values.map((_, i) => `$${i + 1}`).join(', ');
    const { rows } = await pool.query<{ answer: Answer }>(`select app.${name}(${places}) as answer`, values);
    return rows[0]?.answer ?? {};
  };
  const verdict = (name: string) => (s: Said) =>
    call(name, [
      s.user ?? operator,
      'acme',
      s.environment ?? 'production',
      s.key,
      s.version ?? 1,
      s.id ?? randomUUID(),
      s.verdict ?? 'failed_permanent',
      s.reason ?? 'Deskline has nothing.',
      s.reference ?? null,
      s.evidence ?? [],
    ]);
  const propose = verdict('propose');
  const approve = (s: Said & { id: string }) =>
    call('approve_proposal', [
      s.user ?? approver,
      'acme',
      s.environment ?? 'production',
      s.key,
      s.id,
      s.version ?? 1,
      s.reason ?? 'I looked too.',
    ]);
  return {
    superuser,
    urls: database.urls,
    operator,
    approver,
    decide: verdict('decide'),
    propose,
    approve,
    void_: (s: Said & { id: string }) =>
      call('void_proposal', [
        s.user ?? operator,
        'acme',
        s.environment ?? 'production',
        s.key,
        s.id,
        s.reason ?? 'Not so.',
      ]),
    /** Proposed by the operator and approved by the approver; answers what the approval did. */
    together: async (s: Said) => {
      const id = s.id ?? randomUUID();
      const proposal = await propose({ ...s, id });
      return proposal['outcome'] === 'proposed'
        ? approve({ key: s.key, version: s.version ?? 1, id })
        : proposal;
    },
    row: async (key: string) =>
      (await superuser.query('select * from tool_operations where operation_key = $1', [key]))
        .rows[0] as Answer,
    decision: async (id: string) =>
      (await superuser.query('select * from decisions where decision_id = $1', [id])).rows[0] as Answer,
    /** What the audit log says about one operation, in its order. */
    audit: async (key: string) => {
      const { rows } = await superuser.query<{ body: Buffer }>(
        'select body from audit_entries where operation_key = $1 order by sequence',
        [key],
      );
      return rows.map(
        ({ body }) =>
          JSON.parse(body.toString('utf8')) as {
            action: string;
            actor: string;
            detail: Record<string, unknown>;
          },
      );
    },
    close: async () => {
      await pool.end();
      await superuser.end();
      await database.drop();
    },
  };
}
export type TwoPersons = Awaited<ReturnType<typeof openTwoPersons>>;
