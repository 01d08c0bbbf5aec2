import { createHash } from 'node:crypto';
import { canonicalBytes } from '../identity/canonical.ts';
import type { Contract } from './contract.ts';

/** Bears on effects as it stands. */
const effect = <T>(value: T): T => value;
/** A revision: for people, and changes nothing. */
const prose = (): undefined => undefined;

/**
 * What of each field bears on effects. The type makes a new field of the contract a compile error here
 * until it is classified.
 */
const BEARING = {
  name: effect,
  version: effect,
  purpose: prose,
  use_when: prose,
  do_not_use_when: prose,
  effect_class: effect,
  mode: effect,
  effects: effect,
  operation_key: (key) => key && { scope: [...key.scope].sort(), fed_from: key.fed_from },
  material: (material) => mapValues(material, ({ because: _prose, ...field }) => field),
  ignored: (ignored) => Object.keys(ignored).sort(),
  canonicalization_version: effect,
  downstream: effect,
  lookup: effect,
  version_condition: effect,
  receipt: effect,
  postcondition: effect,
  replay: effect,
  attempts: effect,
  lease_seconds: effect,
  recovery_seconds: effect,
  send_commit: effect,
  resend_by_recovery: effect,
  job_seconds: effect,
  job_poll: effect,
  queue: effect,
  abandon_after_seconds: effect,
  retention_seconds: effect,
  retention: effect,
  late_arrival: effect,
  require_intent: effect,
  sibling_window_seconds: effect,
  one_effect_per_business_reference: effect,
  security: effect,
  approval: (approval) => approval && ('valid_seconds' in approval ? approval : { not_needed: true }),
  preconditions: (preconditions) => preconditions && Object.keys(preconditions).sort(),
  decision: prose, // written when the fault run of this digest was signed
  supersedes: effect,
  freshness: prose,
  audit_on_read: effect,
  tests: prose,
  faults: prose,
  duplicate_cost: prose,
  owner: prose,
  response_seconds: prose,
  target_label: prose,
  cost_of_duplicate: prose,
  cost_of_missing: prose,
  signoffs: prose,
  next_review: prose,
} satisfies { [Field in keyof Contract]-?: (value: Contract[Field]) => unknown };

/**
 * `sha256:` and the hex digest of the canonical form of what bears on effects. A registered version keeps its
 * digest for ever; a contract whose prose, tests, owner, costs, sign-offs or decision were edited has the same one.
 */
export function contractDigest(contract: Contract): string {
  const bearing = mapValues(BEARING, (project, field) =>
    (project as (value: unknown) => unknown)(contract[field as keyof Contract]),
  );
  return `sha256:${createHash('sha256').update(canonicalBytes(bearing)).digest('hex')}`;
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}
