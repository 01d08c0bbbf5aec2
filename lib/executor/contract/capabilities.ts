import type { Capabilities } from '../../domain/facts.ts';
import type { Contract } from './contract.ts';
import type { Stated } from './stated.ts';

type Sendable = Pick<Stated, 'effect_class' | 'mode' | 'downstream' | 'lookup' | 'version_condition'>;

/**
 * What a contract lets the machine do about a doubt; DESIGN §4, "What the classes mean". What is not stated yet
 * allows nothing.
 */
export function capabilitiesOf(contract: Sendable): Capabilities {
  return {
    lookup:
      contract.lookup === undefined
        ? 'none'
        : contract.lookup.authoritative === true
          ? 'authoritative'
          : 'advisory',
    resend: resendOf(contract),
    delicate:
      (contract.effect_class === 'irreversible' || contract.mode === 'one_shot') &&
      contract.downstream?.deduplicates !== true,
  };
}

function resendOf({
  effect_class: effectClass,
  mode,
  downstream,
  version_condition: condition,
}: Sendable): Capabilities['resend'] {
  const keyed = downstream?.deduplicates === true ? 'keyed' : 'never';
  // without it a second send could overwrite what somebody changed in between
  const absolute = condition === undefined ? 'never' : 'absolute';
  switch (effectClass) {
    case undefined:
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
  contract: Pick<Stated, 'lookup' | 'recovery_seconds'> & Pick<Contract, 'lease_seconds'>,
): number {
  return contract.lookup?.deadline_seconds ?? contract.recovery_seconds ?? contract.lease_seconds;
}
