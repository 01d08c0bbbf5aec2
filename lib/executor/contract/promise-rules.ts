import { capabilitiesOf } from './capabilities.ts';
import type { ContractProblem } from './invalid-contract.ts';
import type { Stated } from './stated.ts';

type Problems = Generator<ContractProblem, void, undefined>;

/** What promises more than the contract has means for, of the fields that a tool may leave out. */
export function* promiseProblems(contract: Stated): Problems {
  yield* keyProblems(contract);
  yield* approvalProblems(contract);
  yield* queueProblems(contract);
  yield* resendProblems(contract);
  yield* retentionProblems(contract);
  yield* targetProblems(contract);
}

const NEEDED_PARTS = ['tenant', 'environment', 'workflow', 'step'] as const;

function* keyProblems({ operation_key: key, material = {}, ignored = {} }: Stated): Problems {
  if (key === undefined) return;
  const scope = key.scope ?? NEEDED_PARTS;
  const missing = NEEDED_PARTS.filter((part) => !scope.includes(part));
  if (missing.length > 0) {
    yield {
      path: 'operation_key.scope',
      sentence: `The scope lacks ${missing.join(', ')}: keys of different operations could be equal. State tenant, environment, workflow and step.`,
    };
  }
  if (new Set(scope).size < scope.length)
    yield { path: 'operation_key.scope', sentence: 'A part stands twice; keep one.' };
  for (const [part, field] of Object.entries(key.fed_from ?? {})) {
    if (field === undefined) continue;
    const path = `operation_key.fed_from.${part}`;
    const source = Object.hasOwn(material, field) ? material[field] : undefined;
    if (source === undefined && !Object.hasOwn(ignored, field))
      yield { path, sentence: `${field} is not a field of the tool; name a material or an ignored one.` };
    if (source?.personal === true) {
      yield {
        path,
        sentence: `${field} is personal, and keys stand in URLs, logs and downstream headers; derive the part from an opaque id.`,
      };
    }
  }
}

function* approvalProblems({ approval, material = {} }: Stated): Problems {
  if (approval === undefined || !('valid_seconds' in approval)) return;
  for (const [index, { field, any_of: anyOf, at_least: atLeast }] of (approval.when ?? []).entries()) {
    const path = `approval.when.${index}`;
    const named = Object.hasOwn(material, field) ? material[field] : undefined;
    if (named === undefined || named.rules?.includes('ignore') === true) {
      yield {
        path: `${path}.field`,
        sentence: `${field} is not a material field; an approval depends only on what identifies the request.`,
      };
    }
    if ((anyOf === undefined) === (atLeast === undefined))
      yield { path, sentence: 'State one of any_of (values) and at_least (a number).' };
    if (atLeast !== undefined && named !== undefined && named.rules?.includes('integer') !== true) {
      yield {
        path: `${path}.at_least`,
        sentence: `${field} is compared with a number: give it the rule integer.`,
      };
    }
  }
}

function* queueProblems({ queue, lookup, job_poll: poll, job_seconds: jobSeconds }: Stated): Problems {
  if (queue?.effect_query === false && queue.crash_before_ack === 'replay') {
    yield {
      path: 'queue.crash_before_ack',
      sentence:
        'The consumer cannot query the effect, so a crash before the acknowledgment cannot be replayed; state reconcile.',
    };
  }
  if (queue?.effect_query === true && lookup === undefined) {
    yield {
      path: 'queue.effect_query',
      sentence: 'There is no lookup with which the consumer could query the effect; state one, or false.',
    };
  }
  if (poll !== undefined && jobSeconds === undefined)
    yield {
      path: 'job_seconds',
      cause: 'job_poll',
      asks: true,
      sentence: 'A polled job needs a time by which it is expected to be done.',
    };
}

function* resendProblems(contract: Stated): Problems {
  const { resend, lookup } = capabilitiesOf(contract);
  if (contract.resend_by_recovery === true && resend === 'never' && lookup !== 'authoritative') {
    yield {
      path: 'resend_by_recovery',
      sentence:
        'Nothing lets it be sent again: the downstream does not deduplicate, no version condition goes with it, and no authoritative lookup can prove that it is absent. Remove this.',
    };
  }
}

function* retentionProblems({ retention, retention_seconds: kept }: Stated): Problems {
  const { delays: each, reconcile_seconds: reconcile, margin_seconds: margin } = retention ?? {};
  if (kept === undefined || each === undefined || reconcile === undefined || margin === undefined) return;
  const delays = Object.values(each).reduce<number>((sum, delay) => sum + (delay ?? 0), 0);
  const needed = delays + reconcile + margin;
  if (kept < needed) {
    yield {
      path: 'retention_seconds',
      sentence: `It is ${kept} seconds, but the delays (${delays}), reconcile_seconds (${reconcile}) and margin_seconds (${margin}) add up to ${needed}: a duplicate could arrive after the record expired. State at least ${needed}.`,
    };
  }
}

function* targetProblems(contract: Stated): Problems {
  if (contract.security?.verify_target_version === true && contract.version_condition === undefined) {
    yield {
      path: 'version_condition',
      cause: 'security.verify_target_version',
      asks: true,
      sentence:
        "The target's version is to be verified: name the material field that holds the expected one.",
    };
  }
  if (contract.require_intent === 'never' && contract.sibling_window_seconds !== undefined) {
    yield {
      path: 'sibling_window_seconds',
      sentence: 'require_intent is never, so that no sibling is looked for; remove this.',
    };
  }
}
