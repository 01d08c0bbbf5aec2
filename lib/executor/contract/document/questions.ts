/**
 * The question behind each field of a contract that a reviewer must find answered. An unanswered one is an open
 * decision. The first group must stand in every contract; the second, in every contract of a tool that writes and is
 * reviewed: contracts in TypeScript from before these fields remain valid without them.
 */
const NEEDED_QUESTIONS: { readonly [path: string]: string } = {
  name: 'What is the tool called? Lower-case words joined by dots, such as tickets.create.',
  version: 'Which version of the contract is this? A new meaning of the same arguments is a new version.',
  purpose: 'What is the tool for, in one sentence?',
  effect_class:
    'Which class is the effect: read, natural_idempotent, key_based, non_idempotent or irreversible?',
  effects:
    'What is the whole business effect? List the record, and every notification, webhook or delayed work with it.',
  material: 'Which fields define sameness? List each with its rules, [] where it is compared as it is.',
  ignored: 'Which fields never identify a request, each with the reason? {} where there are none.',
  downstream: 'Which downstream makes the effect, and what does it do with a repeated key?',
  'downstream.connector': 'Which downstream system makes the effect?',
  'downstream.deduplicates':
    'Does the downstream make one effect of equal keys? Ask its owner; passing a key proves nothing.',
  'downstream.key': 'What is sent as its idempotency key: operation_key, or a digest of it?',
  'downstream.key_window_seconds': 'For how many seconds does the downstream remember a key?',
  'downstream.call_budget_ms': 'For how many milliseconds may one attempt talk to the downstream?',
  'downstream.settle_seconds':
    'After how many seconds does its lookup show every effect that it will ever show? 0 where it has no lookup.',
  'downstream.own_retries_off': "Are the SDK's own retries switched off? Only true is accepted.",
  'lookup.by': 'Does the lookup ask by operation_key or by reference?',
  'lookup.authoritative': 'Is its answer "absent" proof, and may it settle an operation without a person?',
  'lookup.deadline_seconds': 'For how many seconds may recovering last before a person is asked?',
  'lookup.compare': 'Which fields of a found record must equal which material fields?',
  'receipt.field': 'Which field of the answer is the authoritative receipt?',
  'receipt.required': 'Is the effect unproven without the receipt?',
  replay: 'What does a repeated call get back? State fields, sensitive and max_bytes.',
  'replay.fields': 'Which fields of the answer does a repeated call get back?',
  'replay.sensitive': 'Which of them are stored sealed? [] where none.',
  'replay.max_bytes': 'How many bytes may a stored result have?',
  attempts: 'How often is it tried, and how long between? State max and backoff_seconds.',
  'attempts.max': 'How many attempts may one operation have?',
  'attempts.backoff_seconds': 'How many seconds lie between two attempts?',
  lease_seconds: 'For how many seconds does a claim hold before another worker may recover it?',
  retention_seconds:
    'For how many seconds is an operation kept? At least as long as a duplicate may still arrive.',
  late_arrival: 'What happens to a duplicate after that: reject, tombstone or reconcile_first?',
  owner: 'Which team reconciles what is uncertain?',
  'owner.team': 'Which team reconciles what is uncertain?',
  response_seconds: 'Within how many seconds does the owner answer a case?',
  cost_of_duplicate: 'What does it cost when the effect happens twice? One sentence for the operator.',
  cost_of_missing: 'What does it cost when it never happens? One sentence for the operator.',
};

export const REVIEWED_QUESTIONS: { readonly [path: string]: string } = {
  use_when: 'When should the model call the tool?',
  do_not_use_when: 'When should the model not call it?',
  operation_key:
    'What identifies the logical action? State scope, created_on, reused_for, new_key_on and boundaries.',
  'operation_key.scope': 'Within which boundaries is the key unique? tenant, environment, workflow, step.',
  'operation_key.created_on': 'Which application event creates the key?',
  'operation_key.reused_for': 'Which retries reuse it?',
  'operation_key.new_key_on': 'Which user action creates a new key?',
  'operation_key.boundaries': 'Which tenant, environment, tool or version boundaries are part of its scope?',
  security: 'How is permission rechecked? State recheck_authorization: immediately_before_effect.',
  retention:
    'When can the key expire? State the eight delays between a call and its duplicate, reconcile_seconds and margin_seconds.',
  'retention.delays':
    'How long can each of the eight delays between a call and its duplicate last, in seconds?',
  'retention.reconcile_seconds':
    'How many seconds does it take to locate and reconcile an uncertain operation?',
  'retention.margin_seconds': 'How many seconds are added as a margin?',
  tests: 'How is the claim tested? Name each test with the rows of the fault run that play it.',
  duplicate_cost: 'How dear is a duplicate: low, medium or high?',
  next_review: 'On which day is the contract reviewed again?',
};

/** What is asked where `path` is not answered. */
export function questionOf(path: string): string {
  const question = NEEDED_QUESTIONS[path] ?? REVIEWED_QUESTIONS[path];
  if (question !== undefined) return question;
  if (path.startsWith('retention.delays.'))
    return 'How many seconds can this delay last? 0 where it cannot happen.';
  if (path.startsWith('tests.'))
    return 'Which rows of the fault run play it? T1.1 to T1.10, T2.1 to T2.9, T3.1, T3.2.';
  return 'What is it? State it.';
}
