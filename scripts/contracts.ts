import { runContracts } from './contracts/run-contracts.ts';

/** `npm run contracts -- lint | sign | check`: see docs/contracts.md. */
const { code, out, err } = await runContracts(process.argv.slice(2));
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
