import { rmSync } from 'node:fs';
import { ensureChromium } from './chromium.ts';
import { runStep, tool } from './run-step.ts';

/** The browser journeys against the whole product, started for them with data of its own. Takes Playwright's options. */
try {
  const browser = ensureChromium((message) => console.log(message));
  rmSync('.data/e2e', { recursive: true, force: true });
  const options = { echo: true, env: { CHROMIUM_PATH: browser } };
  const { ok } = await runStep(tool('playwright'), ['test', ...process.argv.slice(2)], options);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
