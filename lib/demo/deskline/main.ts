import { parseArgs } from 'node:util';
import { startDeskline } from './start-deskline.ts';

const USAGE = 'usage: node lib/demo/deskline/main.ts --port N --data DIR [--allow-reset]';

/** Deskline, the fake downstream of the demo, as a process of its own. */
async function main(): Promise<void> {
  const { port, dir, allowReset } = readArguments();
  const deskline = await startDeskline({ port, dir, allowReset });

  const stop = () => {
    deskline.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop); // forked: end with the parent, however it ended
  process.stdout.on('error', () => {}); // a closed terminal is no reason to die in the middle of a commit
  console.log(`[deskline] ready ${deskline.url}`);
}

function readArguments(): { port: number; dir: string; allowReset: boolean } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      'allow-reset': { type: 'boolean', default: false },
    },
  });
  const port = /^\d{1,5}$/.test(values.port ?? '') ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535\n${USAGE}`);
  if (!values.data) throw new Error(`--data must name a folder\n${USAGE}`);
  return { port, dir: values.data, allowReset: values['allow-reset'] };
}

function fail(error: unknown): never {
  console.error(`[deskline] ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

main().catch(fail);
