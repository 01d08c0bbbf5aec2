import { PROGRAMS } from '../lib/demo/supervisor/demo.ts';
import { run } from '../lib/demo/supervisor/run.ts';

/** `npm start`, and with `--dev` `npm run dev`. */
await run({ programs: PROGRAMS, dev: process.argv.includes('--dev') });
