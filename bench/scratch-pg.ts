import { openDatabase } from './database.ts';
import { writeFileSync } from 'node:fs';
const db = await openDatabase(console.log);
writeFileSync('/tmp/bench-urls.json', JSON.stringify(db.urls));
process.on('SIGTERM', () => void db.close().then(() => process.exit(0)));
setInterval(() => {}, 1e6);
