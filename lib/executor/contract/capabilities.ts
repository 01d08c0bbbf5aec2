import type { Capabilities } from '../../domain/facts.ts';
import type { Contract } from './contract.ts';

type Sendable = Pick<Contract, 'effect_class' | 'mode' | 'downstream' | 'lookup' | 'version_condition'>;

/** What a contract lets the machine do about a doubt; DESIGN §4, "What the classes mean". */
export function capabilitiesOf(contract: Sendable): Capabilities {
  return {
    lookup:
      contract.lookup === undefined ? 'none' : contract.lookup.authoritative ? 'authoritative' : 'advisory',
    resend: resendOf(contract),
    delicate:
      (contract.effect_class === 'irreversible' || contract.mode === 'one_shot') &&
      !contract.downstream.deduplicates,
  };
}

function resendOf({
  effect_class: effectClass,
  mode,
  downstream,
  version_condition: condition,
}: Sendable): Capabilities['resend'] {
  const keyed = downstream.deduplicates ? 'keyed' : 'never';
  // without it a second send could overwrite what somebody changed in between
  const absolute = condition === undefined ? 'never' : 'absolute';
  switch (effectClass) {
    case 'read':
      return 'never'; // a read has no record that could be in doubt
    case 'natural_idempotent':
      return absolute;
    case 'key_based':
    case 'irreversible':
      return keyed;
    case 'non_idempotent':
      if (mode === 'absolute') return absolute;
      return mode === 'keyed' ? keyed : 'never';
  }
}

/** How long recovering may last, in seconds. Where nothing can recover, the lease's own time. */
export function recoverySeconds(
  contract: Pick<Contract, 'lookup' | 'recovery_seconds' | 'lease_seconds'>,
): number {
  return contract.lookup?.deadline_seconds ?? contract.recovery_seconds ?? contract.lease_seconds;
}
