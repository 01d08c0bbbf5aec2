import { kindsOf } from './checks.ts';
import type { RowEvidence, PlayedTiming } from './report.ts';
import type { FaultRow, Timing } from './row.ts';
import { openStage, type Stage, type Theatre } from './stage.ts';

/** One play: a timing of a row with a seed. Whatever goes wrong in it is a failed play, never a lost run. */
export async function play(
  theatre: Theatre,
  row: FaultRow,
  timing: Timing,
  seed: number,
): Promise<PlayedTiming> {
  const missing = timing.missing?.(theatre.downstream, theatre.tool.contract) ?? null;
  const stage = openStage(theatre, row.id, seed);
  if (missing !== null) return notApplicable(stage, timing, seed, missing);
  const started = performance.now();
  let observed = '';
  let extra: { [name: string]: unknown } = {};
  try {
    const played = await timing.play(stage);
    ({ observed } = played);
    extra = played.evidence ?? {};
  } catch (error) {
    observed = 'the play did not come to its end';
    stage.check(error instanceof Error ? error.message : String(error), false);
  }
  const failed = stage.checks.filter(({ holds }) => !holds).map(({ what }) => what);
  if (stage.checks.length === 0) failed.push('nothing was checked');
  return {
    name: timing.name,
    seed,
    verdict: failed.length === 0 ? 'passed' : 'failed',
    observed,
    effects: (await Promise.all(stage.operations.map((operation) => stage.effects(operation)))).flat().length,
    failed,
    seconds: Math.round(performance.now() - started) / 1000,
    evidence: { ...(await evidenceOf(stage)), ...(extra as RowEvidence) },
  };
}

async function notApplicable(
  stage: Stage,
  { name }: Timing,
  seed: number,
  because: string,
): Promise<PlayedTiming> {
  return {
    name,
    seed,
    verdict: 'not_applicable',
    observed: `not_applicable: ${because}`,
    effects: 0,
    failed: [],
    seconds: 0,
    evidence: await evidenceOf(stage),
  };
}

async function evidenceOf(stage: Stage): Promise<RowEvidence> {
  const [operation] = stage.operations;
  if (operation === undefined)
    return { operation_key: '', fingerprint: null, receipt: null, final_state: {}, trace: [] };
  const state = await stage.state(operation);
  const kinds = await kindsOf(stage, operation);
  return {
    operation_key: operation.key,
    fingerprint: state?.request_fingerprint ?? null,
    receipt: state?.effect_reference ?? null,
    final_state:
      state === null
        ? {}
        : {
            status: state.status,
            pending_reason: state.pending_reason,
            reason: state.reason,
            attempt: state.attempt,
            resolved_by: state.resolved_by,
            contradicted: state.contradicted,
          },
    trace: kinds.filter((kind, i) => kind !== kinds[i - 1]),
  };
}
