import { Client } from 'pg';
import { vi } from 'vitest';
import { closeClients } from '../../../db/client.ts';
import { insertContract, insertUser } from '../../../db/testing/factories.ts';
import { testDatabase } from '../../../db/testing/test-database.ts';
import { toCaller, type Caller } from '../../auth/caller.ts';
import type { Role } from '../../domain/states.ts';

/** The console's services on a database of the test file's own. */
export type ConsoleBench = {
  /** Writes rows past every rule. */
  superuser: Client;
  /** Somebody with these roles in acme production, as a session would find them. */
  person: (roles: readonly Role[], name?: string) => Promise<Caller>;
  /** How many audit entries of an action a chain holds. */
  entries: (tenant: string, action: string) => Promise<number>;
  close: () => Promise<void>;
};

export const SCOPE = { tenant: 'acme', environment: 'production' };

export async function openConsoleBench(): Promise<ConsoleBench> {
  const database = await testDatabase();
  vi.stubEnv('DATABASE_CONSOLE_URL', database.urls.console);
  vi.stubEnv('LOG_LEVEL', 'silent');
  const superuser = new Client({ connectionString: database.urls.superuser });
  await superuser.connect();
  await insertContract(superuser, {
    body: JSON.stringify({
      target_label: 'subject',
      owner: { team: 'Support' },
      cost_of_duplicate: 'Two tickets.',
      cost_of_missing: 'No ticket.',
      downstream: { connector: 'deskline.tickets' },
    }),
  });
  return {
    superuser,
    person: async (roles, name = 'Ines Okafor') => {
      const user_id = await insertUser(superuser, roles, { name });
      const grants = roles.map((role) => ({ tenant_id: SCOPE.tenant, environment: SCOPE.environment, role }));
      return toCaller({ user: { user_id, name, email: null }, expires_at: '2099-01-01T00:00:00Z', grants });
    },
    entries: async (tenant, action) => {
      const { rows } = await superuser.query<{ n: number }>(
        'select count(*)::integer as n from audit_entries where tenant_id = $1 and action = $2',
        [tenant, action],
      );
      return rows[0]?.n ?? 0;
    },
    close: async () => {
      await closeClients();
      await superuser.end();
      await database.drop();
    },
  };
}
