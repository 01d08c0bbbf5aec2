/** Why arguments cannot become an operation. Closed: a new reason is added here first. */
export type InvalidArgumentsCode =
  // the operation key
  | 'key_part_missing'
  | 'key_part_untrimmed'
  | 'key_part_unprintable'
  | 'key_part_placeholder'
  | 'key_part_too_long'
  | 'key_part_personal'
  | 'key_part_secret'
  | 'key_too_long'
  | 'key_malformed'
  | 'successor_number'
  // plain JSON
  | 'not_json'
  | 'unreadable'
  | 'lone_surrogate'
  | 'unsafe_integer'
  | 'not_finite'
  | 'proto_key'
  | 'accessor'
  | 'to_json'
  | 'sparse_array'
  | 'cycle'
  | 'too_deep'
  | 'too_large'
  // JSON text
  | 'json_syntax'
  | 'duplicate_key'
  // the fingerprint
  | 'unlisted_field'
  | 'number_needs_rule'
  | 'rule_not_applicable'
  | 'not_canonical';

/**
 * Refusal of a call before anything was claimed or sent. `message` is one sentence for people that says
 * what is wrong, where, and what to do; it never repeats the offending value, so it may be logged and
 * shown. `path` is where (`$.items[2].id`); `position` is the UTF-16 offset when the input was JSON text.
 */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
  readonly code: InvalidArgumentsCode;
  readonly path: string;
  readonly position: number | undefined;

  constructor(
    code: InvalidArgumentsCode,
    path: string,
    sentence: string,
    detail: { position?: number; cause?: unknown } = {},
  ) {
    super(sentence, 'cause' in detail ? { cause: detail.cause } : undefined);
    this.code = code;
    this.path = path;
    this.position = detail.position;
  }
}
