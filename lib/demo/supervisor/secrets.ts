import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const secret = z.string().min(32);
const shape = z.object({
  nextauthSecret: secret,
  oidcClientSecret: secret,
  passwords: z.object({ owner: secret, console: secret, executor: secret, auditor: secret }),
});

/** What the parts of the demo prove themselves to each other with. */
export type Secrets = z.output<typeof shape>;

const generate = () => randomBytes(32).toString('base64url');

/** The secrets of `dataDir`, made at the first start; the file is readable by its owner only. */
export function loadSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const fresh: Secrets = {
    nextauthSecret: generate(),
    oidcClientSecret: generate(),
    passwords: { owner: generate(), console: generate(), executor: generate(), auditor: generate() },
  };
  try {
    writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    return fresh;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is damaged. Remove it: new secrets are made, and everybody signs in again.`, {
      cause,
    });
  }
}
