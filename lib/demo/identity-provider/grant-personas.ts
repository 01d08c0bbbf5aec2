import { Client } from 'pg';
import { PERSONAS } from './personas.ts';

/** Gives the personas of the local provider their grants, once; what an administrator changes later stays changed. */
export async function grantPersonas(ownerUrl: string, issuer: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'replay-desk personas' });
  client.on('error', () => {});
  await client.connect();
  try {
    for (const { sub, grants } of PERSONAS)
      for (const { tenant, environment, role } of grants)
        await client.query('select app.grant_identity($1, $2, $3, $4, $5)', [
          tenant,
          environment,
          issuer,
          sub,
          role,
        ]);
  } finally {
    await client.end();
  }
}
