import path from 'node:path';
import type { ChildSpec } from '../child.ts';
import { run } from '../run.ts';

/** `npm start` with every child but Postgres replaced by a stand-in, and nothing built. */
const failing = process.env['STAND_IN_FAILS'];

function portOf({ env, args = [] }: ChildSpec): string {
  const flag = args.indexOf('--port');
  return flag === -1 ? (env['OIDC_PORT'] ?? '0') : (args[flag + 1] ?? '0');
}

await run({
  dev: false,
  build: async () => {},
  replace: (spec) => ({
    ...spec,
    file: path.join(import.meta.dirname, 'stand-in.ts'),
    args: [spec.name, portOf(spec), ...(spec.name === failing ? ['fails'] : [])],
    env: { DATA_DIR: process.env['DATA_DIR'], ...spec.env },
    graceSeconds: 2,
  }),
});
