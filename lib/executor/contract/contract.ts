import { z } from 'zod';
import { EFFECT_CLASSES } from '../../domain/states.ts';
import {
  approval,
  attempts,
  comparedFields,
  day,
  downstream,
  fieldName,
  lookup,
  materialField,
  operationKeyRule,
  queue,
  retention,
  seconds,
  secondsOrNone,
  security,
  sentence,
  signoffs,
  tests,
  word,
} from './contract-parts.ts';

/**
 * The versioned document beside a tool, as data: what `tool_contracts.body` keeps, so that old versions stay
 * readable. Every key here must be classified in `contract-digest.ts`. Build one with `defineContract`, which
 * also checks the rules between fields.
 */
export const contractSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/, 'Use lower-case words joined by `_` and `.`.')
    .max(100),
  version: word,
  purpose: sentence,
  /** For the model: when to call the tool, and when not. */
  use_when: z.exactOptional(z.array(sentence)),
  do_not_use_when: z.exactOptional(z.array(sentence)),
  effect_class: z.enum(EFFECT_CLASSES),
  /** How a non-idempotent effect was made repeatable, or that it was not. */
  mode: z.exactOptional(z.enum(['keyed', 'absolute', 'one_shot'])),
  /** The whole business effect: the record, and every notification, webhook or delayed work that comes with it. */
  effects: z.array(sentence),

  operation_key: z.exactOptional(operationKeyRule),
  material: z.record(fieldName, materialField),
  /** Fields that never identify a request, each with the reason. */
  ignored: z.record(fieldName, sentence),
  canonicalization_version: z.literal(1),

  downstream,
  lookup: z.exactOptional(lookup),
  /** The material field that the downstream compares with the target's version; without one nothing absolute is resent. */
  version_condition: z.exactOptional(fieldName),
  receipt: z.exactOptional(z.strictObject({ field: fieldName, required: z.boolean() })),
  postcondition: z.exactOptional(comparedFields),
  replay: z.strictObject({
    fields: z.array(fieldName),
    /** Those of `fields` that are stored sealed. */
    sensitive: z.array(fieldName),
    max_bytes: z.int().positive().max(1_048_576),
  }),

  attempts,
  lease_seconds: seconds,
  /** How long recovering may last where no lookup states it: the time to send again. */
  recovery_seconds: z.exactOptional(seconds),
  /** Whether the send is recorded in one commit with the claim, or in its own. */
  send_commit: z.exactOptional(z.enum(['with_claim', 'own'])),
  /** The reconcile duty performs the next attempt itself, from the sealed request. */
  resend_by_recovery: z.exactOptional(z.literal(true)),
  /** How long a delayed job of the downstream may take, and what its poll asks by. */
  job_seconds: z.exactOptional(seconds),
  job_poll: z.exactOptional(z.enum(['job_id', 'operation_key'])),
  queue: z.exactOptional(queue),
  /** After so long an operation that was never sent is given up. */
  abandon_after_seconds: z.exactOptional(seconds),
  retention_seconds: seconds,
  /** What `retention_seconds` was reckoned from. */
  retention: z.exactOptional(retention),
  late_arrival: z.enum(['reject', 'tombstone', 'reconcile_first']),

  require_intent: z.enum(['always', 'on_sibling', 'never']).default('on_sibling'),
  /** For how long an applied operation still makes an equal one under another key ask for a new intent event. */
  sibling_window_seconds: z.exactOptional(secondsOrNone),
  /** One business reference has at most one effect of this tool: a second one is a case. */
  one_effect_per_business_reference: z.exactOptional(z.literal(true)),
  security: z.exactOptional(security),
  approval: z.exactOptional(approval),
  /** Each with what must hold immediately before the effect; the tool has the function. */
  preconditions: z.exactOptional(z.record(word, sentence)),
  decision: z.enum(['automate', 'automate_with_approval', 'manual']),
  supersedes: z.exactOptional(z.record(word, z.enum(['finish_with_old', 'reconcile']))),

  /** Of a read: how old its answer may be, and whether reading is itself recorded. */
  freshness: z.exactOptional(sentence),
  audit_on_read: z.exactOptional(z.boolean()),

  tests: z.exactOptional(tests),
  /** How old the fault run of this digest may be. */
  faults: z.exactOptional(z.strictObject({ max_age_days: z.int().positive().max(3650) })),
  /** What a duplicate costs: a dear one needs more proof before nobody is asked. */
  duplicate_cost: z.exactOptional(z.enum(['low', 'medium', 'high'])),

  /** Who reconciles. */
  owner: z.strictObject({ team: sentence, person: z.exactOptional(sentence) }),
  /** The time within which the owner answers a case. */
  response_seconds: seconds,
  /** The material field that names a case to people. */
  target_label: z.exactOptional(fieldName),
  cost_of_duplicate: sentence,
  cost_of_missing: sentence,
  signoffs: z.exactOptional(signoffs),
  next_review: z.exactOptional(day),
});

/** A checked contract; frozen all the way down. */
export type Contract = z.output<typeof contractSchema>;
/** What a tool's author writes. */
export type ContractInput = z.input<typeof contractSchema>;
