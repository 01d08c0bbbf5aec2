import { run } from '../lib/demo/supervisor/run.ts';

/** `npm start`, and with `--dev` `npm run dev`. */
await run({ dev: process.argv.includes('--dev') });
