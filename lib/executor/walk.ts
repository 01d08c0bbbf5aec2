import { instantText, receiptText } from './classify.ts';
import type { ListedEffectRow, WalkRun, WalkStore } from './ports.ts';
import { LookupFailed, type EffectPage, type Tool } from './tool.ts';
import { safeWords, type World } from './world.ts';

/** How long a list is one worker's, in seconds: longer than a page may take. */
const TAKEN_SECONDS = 30;
const PAGE_TIMEOUT_MS = 10_000;
/** From the end of one walk of a list to the next, in seconds. */
const AGAIN_SECONDS = 60;

/** What one run of the duty did; `failed` lists are walked again. */
export interface WalkReport {
  walks: number;
  pages: number;
  effects: number;
  opened: number;
  closed: number;
  failed: number;
}

/**
 * Reverse reconciliation: walks what the providers list, page by page, keeps it, and compares it with our operations.
 * Any number of workers; a crash costs a pause. Each walk begins where the one before it may have missed an effect that
 * became visible late.
 * @param limit lists at most
 */
export async function walk(world: World, limit: number): Promise<WalkReport> {
  const report: WalkReport = { walks: 0, pages: 0, effects: 0, opened: 0, closed: 0, failed: 0 };
  const store = world.store.walks;
  // of several versions, the one that takes new operations
  const tools = [...new Set(world.tools.values())]
    .map(({ contract }) => world.tools.get(contract.name))
    .filter((tool): tool is Tool => tool?.listEffects !== undefined);
  if (store === undefined || tools.length === 0) return report;
  const names = [...new Set(tools.map(({ contract }) => contract.name))];
  const served = names.flatMap((name) => world.environments.map((environment) => ({ name, environment })));
  const taken = await store.take(world.worker, served, limit, TAKEN_SECONDS);
  await Promise.all(taken.map((run) => walkOne(world, store, run, report)));
  return report;
}

async function walkOne(world: World, store: WalkStore, run: WalkRun, report: WalkReport): Promise<void> {
  report.walks += 1;
  let failed: string | null = null;
  try {
    const isHeld = await walkPages(world, store, run, report);
    if (!isHeld) return; // another worker has taken it over
  } catch (error) {
    failed = safeWords(error);
    report.failed += 1;
    world.warn(`the list of ${run.tool_name} was not walked to its end`, error);
  }
  const judged = await store.end(run, failed, AGAIN_SECONDS);
  report.opened += judged?.opened ?? 0;
  report.closed += judged?.closed ?? 0;
}

/** Walks to the end of the list; false where another worker has the list by now. */
async function walkPages(world: World, store: WalkStore, run: WalkRun, report: WalkReport): Promise<boolean> {
  const tool = world.tools.get(run.tool_name);
  const seen = new Set<string | null>([run.after]);
  for (let after = run.after; ;) {
    const page = await askPage(world, tool, run, after);
    const effects = page.effects.map(readEffect);
    const isHeld = await store.storePage(run, effects, page.next, TAKEN_SECONDS);
    if (!isHeld) return false;
    report.pages += 1;
    report.effects += effects.length;
    if (page.next === null) return true;
    if (seen.has(page.next)) throw new LookupFailed('the list goes round in a circle');
    seen.add(page.next);
    after = page.next;
  }
}

/** One page, with a deadline, also where the tool ignores its signal. */
async function askPage(
  world: World,
  tool: Tool | undefined,
  run: WalkRun,
  after: string | null,
): Promise<EffectPage> {
  if (tool?.listEffects === undefined) throw new LookupFailed('the tool has no list');
  const timeout = new AbortController();
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = world.clock.after(PAGE_TIMEOUT_MS, () => {
      timeout.abort(new Error('no answer in time'));
      reject(new Error('no answer in time'));
    });
  });
  try {
    const question = { tenantId: run.tenant_id, environment: run.environment, after, signal: timeout.signal };
    return await Promise.race([tool.listEffects(question), late]);
  } finally {
    cancel();
  }
}

/** A listed effect as it is kept; one that names nothing cannot be compared, so the walk fails. */
function readEffect({
  reference,
  downstreamKey,
  committedAt,
}: EffectPage['effects'][number]): ListedEffectRow {
  const receipt = receiptText(reference);
  if (receipt === null) throw new LookupFailed('the list shows an effect without a reference');
  return {
    reference: receipt,
    downstream_key: typeof downstreamKey === 'string' && downstreamKey !== '' ? downstreamKey : null,
    committed_at: instantText(committedAt) ?? null,
  };
}
