import { capabilitiesOf, recoverySeconds } from '../capabilities.ts';
import type { Stated } from '../stated.ts';
import { duration } from './duration.ts';

/** What may still go wrong although nothing in the contract is. */
export interface Risk {
  risk: string;
  /** The field that it comes from. */
  path: string;
  message: string;
}

/** The risks that a contract's own fields show; none of them makes it invalid. */
export function risksOf(stated: Stated): Risk[] {
  if (stated.effect_class === undefined || stated.effect_class === 'read') return [];
  return [...doubtRisks(stated), ...timeRisks(stated), ...effectRisks(stated), ...peopleRisks(stated)];
}

type Risks = Generator<Risk, void, undefined>;

function* doubtRisks(stated: Stated): Risks {
  const { lookup, resend } = capabilitiesOf(stated);
  if (resend === 'never' && lookup !== 'authoritative') {
    yield {
      risk: 'unknown_outcome',
      path: 'downstream.deduplicates',
      message:
        'No downstream that deduplicates and no authoritative lookup is stated: an answer that is lost after the send ends as unknown, and a person decides.',
    };
  }
  if (lookup === 'advisory') {
    yield {
      risk: 'lookup_not_authoritative',
      path: 'lookup.authoritative',
      message:
        'The lookup only informs: neither its "found" nor its "absent" settles an operation without a person.',
    };
  }
  if (stated.lookup?.compare !== undefined && Object.keys(stated.lookup.compare).length === 0) {
    yield {
      risk: 'lookup_compares_nothing',
      path: 'lookup.compare',
      message: 'A record of another request would count as found; compare at least one material field.',
    };
  }
}

function* timeRisks(stated: Stated): Risks {
  const { downstream, retention_seconds: kept, lease_seconds: lease } = stated;
  const { lookup: kind, resend } = capabilitiesOf(stated);
  const window = downstream?.key_window_seconds;
  if (resend === 'keyed' && window !== undefined && kept !== undefined && window < kept) {
    yield {
      risk: 'duplicate_after_key_window',
      path: 'downstream.key_window_seconds',
      message: `The downstream forgets a key after ${duration(window)}, a duplicate may arrive for ${duration(kept)}: after the window only our record prevents a second effect, and what is still in doubt is not sent again.`,
    };
  }
  const recovery = lease === undefined ? undefined : recoverySeconds({ ...stated, lease_seconds: lease });
  if (resend === 'keyed' && window !== undefined && recovery !== undefined && window < recovery) {
    yield {
      risk: 'recovery_outlives_key_window',
      path: 'downstream.key_window_seconds',
      message: `Recovering may last ${duration(recovery)}, but the downstream remembers a key for ${duration(window)} only; the later part cannot send again.`,
    };
  }
  const settle = downstream?.settle_seconds;
  if (kind === 'authoritative' && settle !== undefined && recovery !== undefined && settle >= recovery) {
    yield {
      risk: 'absence_never_conclusive',
      path: 'downstream.settle_seconds',
      message: `Its lookup may need ${duration(settle)} to show an effect, and recovering lasts ${duration(recovery)}: "absent" is never proof in time.`,
    };
  }
}

function* effectRisks(stated: Stated): Risks {
  const { effect_class: effectClass, mode, effects = [], downstream } = stated;
  const absolute = effectClass === 'natural_idempotent' || mode === 'absolute';
  if (absolute && stated.version_condition === undefined) {
    yield {
      risk: 'stale_overwrite',
      path: 'version_condition',
      message:
        'It sets a value without a version condition: a late repetition could overwrite a newer change of somebody else.',
    };
  }
  if (absolute && effects.length > 1 && downstream?.deduplicates === false) {
    yield {
      risk: 'repeated_notification',
      path: 'effects',
      message: `The same state again is harmless, but ${effects.slice(1).join(' and ')} may come with every repetition.`,
    };
  }
  if (Object.keys(stated.postcondition ?? {}).length === 0) {
    yield {
      risk: 'no_postcondition',
      path: 'postcondition',
      message:
        "The downstream's answer is not compared with the request: an answer about another effect would be recorded as this one.",
    };
  }
  if (
    effectClass === 'irreversible' &&
    stated.approval !== undefined &&
    'not_needed_because' in stated.approval
  ) {
    yield {
      risk: 'irreversible_without_approval',
      path: 'approval',
      message: `Nobody approves an effect that cannot be undone; ${stated.approval.signed_by ?? 'nobody'} signed for that.`,
    };
  }
  if (stated.queue?.redelivery === true && !stated.queue.effect_query) {
    yield {
      risk: 'queue_without_query',
      path: 'queue.effect_query',
      message:
        'The queue may deliver a job twice and its consumer cannot query the effect: a crash before the acknowledgment is left to reconciliation.',
    };
  }
}

function* peopleRisks(stated: Stated): Risks {
  for (const [name, field] of Object.entries(stated.material ?? {})) {
    if (field?.personal === true && field.sensitive !== true) {
      yield {
        risk: 'personal_field_shown',
        path: `material.${name}`,
        message: `${name} says something about a person and is shown unmasked to everybody who sees the operation; mark it sensitive.`,
      };
    }
  }
  const label = stated.target_label === undefined ? undefined : stated.material?.[stated.target_label];
  if (label?.sensitive === true) {
    yield {
      risk: 'masked_label',
      path: 'target_label',
      message: 'The field that names a case to people is masked; name one that can be read.',
    };
  }
  for (const name of stated.replay?.fields ?? []) {
    if (stated.material?.[name]?.personal === true && stated.replay?.sensitive?.includes(name) !== true) {
      yield {
        risk: 'personal_field_stored',
        path: 'replay.sensitive',
        message: `${name} says something about a person and is stored in the clear with the result; list it in replay.sensitive.`,
      };
    }
  }
}
