import { statementClient } from '../statement-client.ts';

/** A process that records one decision, for tests that kill it: says when it is about to, and exits when done. */
const [url = '', , user = '', tenant = '', key = '', id = ''] = process.argv.slice(2);
const sql = statementClient(url, { max: 1 });
await sql`select 1`;
process.send?.('about to decide');
await sql`select app.decide(${user}, ${tenant}, 'production', ${key}, 1, ${id}, 'applied', 'Deskline shows it.', ${`ticket_${id}`}, '{}')`;
process.exit(0);
