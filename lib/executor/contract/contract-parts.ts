import { z } from 'zod';
import type { PlainJson } from '../identity/plain-json.ts';

/** Ten years: more than any stated time, and within the database's integers. */
const MAX_SECONDS = 315_360_000;

export const seconds = z.int().positive().max(MAX_SECONDS);
export const secondsOrNone = z.int().nonnegative().max(MAX_SECONDS);
export const sentence = z.string().trim().min(1).max(500);
export const word = z.string().regex(/^[\w.-]{1,100}$/, 'Use 1 to 100 letters, digits, `_`, `.` or `-`.');
export const day = z.iso.date('Write the day as YYYY-MM-DD.');
export const fieldName = z
  .string()
  .regex(
    /^(?!__proto__$)[^\p{Cc}\p{Cs}*]{1,100}$/u,
    'Name one field of 1 to 100 printable characters; a wildcard (*) would hide what identifies the request.',
  );
const json = z.custom<PlainJson>((value) => value !== undefined, 'State the value.');

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
const fieldRule = z.union([z.enum(FIELD_RULES), z.strictObject({ default: json })]);
export type FieldRule = z.output<typeof fieldRule>;

export const materialField = z.strictObject({
  /** Applied in this order. */
  rules: z.array(fieldRule),
  /** Why the downstream sees no difference either. */
  because: z.exactOptional(sentence),
  /** Masked in what people see of the request. */
  sensitive: z.exactOptional(z.boolean()),
  /** Says something about a person; no part of an operation key may be fed from it. */
  personal: z.exactOptional(z.boolean()),
});

/** What can be part of an operation key. */
const KEY_PARTS = ['tenant', 'environment', 'workflow', 'step', 'tool'] as const;

/** How the application makes the key: the article's four questions, each answered. */
export const operationKeyRule = z.strictObject({
  /** The boundaries within which the key is unique; the first four always. */
  scope: z.array(z.enum(KEY_PARTS, `Name the parts: ${KEY_PARTS.join(', ')}; a wildcard is not a scope.`)),
  /** Which event of the application creates it. */
  created_on: sentence,
  /** Which retries reuse it. */
  reused_for: sentence,
  /** Which action of a user creates a new one. */
  new_key_on: sentence,
  /** Which tenant, environment, tool or version boundaries are part of its scope, and why. */
  boundaries: sentence,
  /** The argument that a part is derived from, where it is derived from one. */
  fed_from: z.exactOptional(z.partialRecord(z.enum(KEY_PARTS), fieldName)),
});

export const downstream = z.strictObject({
  connector: word,
  /** The downstream makes one effect of equal keys within the key window. */
  deduplicates: z.boolean(),
  key: z.union([
    z.literal('operation_key'),
    z.strictObject({ digest: z.literal('sha256'), length: z.int().min(16).max(64) }),
  ]),
  key_window_seconds: z.exactOptional(seconds),
  call_budget_ms: z.int().positive().max(3_600_000),
  settle_seconds: secondsOrNone,
  own_retries_off: z.literal(
    true,
    'An SDK that retries by itself sends unrecorded attempts; switch them off and state true.',
  ),
});

/** Fields of an answer of the downstream, each with the material field that it must equal. */
export const comparedFields = z.record(fieldName, fieldName);

export const lookup = z.strictObject({
  by: z.enum(['operation_key', 'reference']),
  /** Its "absent" may be conclusive, and it may settle an operation without a person. */
  authoritative: z.boolean(),
  /** How long recovering may last before a person is asked. */
  deadline_seconds: seconds,
  /** How long an unreachable provider may stop that clock. */
  outage_seconds: z.exactOptional(seconds),
  compare: comparedFields,
});

const approvalCondition = z.strictObject({
  field: fieldName,
  any_of: z.exactOptional(z.array(json).min(1)),
  at_least: z.exactOptional(z.int()),
});

export const approval = z.union([
  z.strictObject({
    valid_seconds: seconds,
    /** An operation needs it where any of these holds; without conditions, always. */
    when: z.exactOptional(z.array(approvalCondition).min(1)),
  }),
  z.strictObject({ not_needed_because: sentence, signed_by: sentence }),
]);

export const attempts = z.strictObject({
  max: z.int().positive().max(1000),
  backoff_seconds: seconds,
  /** For so long one delivery itself waits and tries again what provably did not happen. */
  retry_within_seconds: z.exactOptional(seconds),
});

export const security = z.strictObject({
  recheck_authorization: z.literal(
    'immediately_before_effect',
    'Authorization is asked again immediately before the effect; there is no other value.',
  ),
  /** The target's version is compared immediately before the effect. */
  verify_target_version: z.exactOptional(z.boolean()),
});

/** The article's three questions about a queue in front of the tool. */
export const queue = z.strictObject({
  /** Can the same job be delivered twice? */
  redelivery: z.boolean(),
  /** Can the consumer query the effect? */
  effect_query: z.boolean(),
  /** What happens if the consumer crashes after the effect but before acknowledgment? */
  crash_before_ack: z.enum(['replay', 'reconcile']),
});

/** Every delay that can lie between a call and its duplicate, and what is added to them; all in seconds. */
export const retention = z.strictObject({
  delays: z.strictObject({
    model_retry: secondsOrNone,
    queue_redelivery: secondsOrNone,
    worker_restart: secondsOrNone,
    network_partition: secondsOrNone,
    human_retry: secondsOrNone,
    provider_timeout: secondsOrNone,
    scheduled_job: secondsOrNone,
    disaster_recovery: secondsOrNone,
  }),
  /** The time to locate and reconcile an uncertain operation. */
  reconcile_seconds: secondsOrNone,
  margin_seconds: secondsOrNone,
});

/** The rows of the fault run: the article's two tables, and two about the target's version. */
export const FAULT_ROWS = [
  ...Array.from({ length: 10 }, (_, index) => `T1.${index + 1}`),
  ...Array.from({ length: 9 }, (_, index) => `T2.${index + 1}`),
  'T3.1',
  'T3.2',
];
const faultRow = z
  .string()
  .refine(
    (id) => FAULT_ROWS.includes(id),
    'Name rows of the fault run: T1.1 to T1.10, T2.1 to T2.9, T3.1, T3.2.',
  );
/** The contract's own name of a test, with the rows that play it. */
export const tests = z.record(word, z.array(faultRow).min(1));

/** Who signs that the contract is true of their part. */
export const SIGNING_ROLES = ['downstream', 'security', 'operations'] as const;
const signoff = z.strictObject({
  person: sentence,
  date: day,
  /** The day of the passed fault run that it was given on. */
  run_on: z.exactOptional(day),
  /** The digest that was signed: a sign-off of another one has lapsed. */
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'Write sha256: and 64 hex digits.'),
});
export const signoffs = z.partialRecord(z.enum(SIGNING_ROLES), signoff);
