import { z } from 'zod';
import { EFFECT_CLASSES } from '../../domain/states.ts';
import type { PlainJson } from '../identity/plain-json.ts';

/** Ten years: more than any stated time, and within the database's integers. */
const MAX_SECONDS = 315_360_000;

const seconds = z.int().positive().max(MAX_SECONDS);
const sentence = z.string().trim().min(1).max(500);
const word = z.string().regex(/^[\w.-]{1,100}$/, 'Use 1 to 100 letters, digits, `_`, `.` or `-`.');
const fieldName = z
  .string()
  .regex(
    /^(?!__proto__$)[^\p{Cc}\p{Cs}*]{1,100}$/u,
    'Name one field of 1 to 100 printable characters; a wildcard (*) would hide what identifies the request.',
  );

/** Rules that are data. Those that make different bytes equal need the field's `because`. */
const FIELD_RULES = [
  'trim',
  'collapse_whitespace',
  'lowercase',
  'nfc',
  'set',
  'decimal_string',
  'integer',
  'ignore',
] as const;
const fieldRule = z.union([
  z.enum(FIELD_RULES),
  z.strictObject({
    default: z.custom<PlainJson>((value) => value !== undefined, 'State the default value.'),
  }),
]);
export type FieldRule = z.output<typeof fieldRule>;

const materialField = z.strictObject({
  /** Applied in this order. */
  rules: z.array(fieldRule),
  /** Why the downstream sees no difference either. */
  because: z.exactOptional(sentence),
  /** Masked in what people see of the request. */
  sensitive: z.exactOptional(z.boolean()),
  /** Says something about a person; no part of an operation key may be fed from it. */
  personal: z.exactOptional(z.boolean()),
});

const downstream = z.strictObject({
  connector: word,
  /** The downstream makes one effect of equal keys within the key window. */
  deduplicates: z.boolean(),
  key: z.union([
    z.literal('operation_key'),
    z.strictObject({ digest: z.literal('sha256'), length: z.int().min(16).max(64) }),
  ]),
  key_window_seconds: z.exactOptional(seconds),
  call_budget_ms: z.int().positive().max(3_600_000),
  settle_seconds: z.int().nonnegative().max(MAX_SECONDS),
  own_retries_off: z.literal(
    true,
    'An SDK that retries by itself sends unrecorded attempts; switch them off and state true.',
  ),
});

/** Fields of an answer of the downstream, each with the material field that it must equal. */
const comparedFields = z.record(fieldName, fieldName);

const lookup = z.strictObject({
  by: z.enum(['operation_key', 'reference']),
  /** Its "absent" may be conclusive, and it may settle an operation without a person. */
  authoritative: z.boolean(),
  /** How long recovering may last before a person is asked. */
  deadline_seconds: seconds,
  compare: comparedFields,
});

const approval = z.union([
  z.strictObject({ valid_seconds: seconds }),
  z.strictObject({ not_needed_because: sentence, signed_by: sentence }),
]);

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
  effect_class: z.enum(EFFECT_CLASSES),
  /** How a non-idempotent effect was made repeatable, or that it was not. */
  mode: z.exactOptional(z.enum(['keyed', 'absolute', 'one_shot'])),
  /** The whole business effect: the record, and every notification, webhook or delayed work that comes with it. */
  effects: z.array(sentence),

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

  attempts: z.strictObject({ max: z.int().positive().max(1000), backoff_seconds: seconds }),
  lease_seconds: seconds,
  /** How long recovering may last where no lookup states it: the time to send again. */
  recovery_seconds: z.exactOptional(seconds),
  /** How long a delayed job of the downstream may take. */
  job_seconds: z.exactOptional(seconds),
  /** After so long an operation that was never sent is given up. */
  abandon_after_seconds: z.exactOptional(seconds),
  retention_seconds: seconds,
  late_arrival: z.enum(['reject', 'tombstone', 'reconcile_first']),

  require_intent: z.enum(['always', 'on_sibling', 'never']).default('on_sibling'),
  approval: z.exactOptional(approval),
  decision: z.enum(['automate', 'automate_with_approval', 'manual']),
  supersedes: z.exactOptional(z.record(word, z.enum(['finish_with_old', 'reconcile']))),

  /** Of a read: how old its answer may be, and whether reading is itself recorded. */
  freshness: z.exactOptional(sentence),
  audit_on_read: z.exactOptional(z.boolean()),

  owner: z.strictObject({ team: sentence }),
  /** The time within which the owner answers a case. */
  response_seconds: seconds,
  /** The material field that names a case to people. */
  target_label: z.exactOptional(fieldName),
  cost_of_duplicate: sentence,
  cost_of_missing: sentence,
});

/** A checked contract; frozen all the way down. */
export type Contract = z.output<typeof contractSchema>;
/** What a tool's author writes. */
export type ContractInput = z.input<typeof contractSchema>;
