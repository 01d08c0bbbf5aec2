import {
  CLASS_WORDS,
  readClass,
  readFields,
  readNewKey,
  readReceipt,
  readReuse,
  readScope,
  readStatuses,
  readTests,
  same,
  TEST_ROWS,
  text,
  wordOf,
  type Reading,
} from './alias-readings.ts';
import type { SourceNode } from './source.ts';

export interface Alias {
  /** Where it stands in a document. */
  from: string;
  /** Where a contract has it; null where it says what the executor does in any case. */
  to: string | null;
  /** What is accepted, for the table in docs/contracts.md. */
  accepts: string;
  read: (node: SourceNode) => Reading;
}

/** A field whose only true value is what the executor does. */
function kept(from: string, accepts: string, pattern: RegExp, fact: string): Alias {
  return {
    from,
    to: null,
    accepts,
    read: (node) =>
      pattern.test(wordOf(node)) ? 'kept_by_the_executor' : { wrong: `${fact} Write ${accepts}.` },
  };
}

function both(names: readonly string[], alias: Omit<Alias, 'from'>): Alias[] {
  return names.map((from) => ({ from, ...alias }));
}

const receipts: Omit<Alias, 'from'> = {
  to: 'receipt',
  accepts: 'the name of one field; anything else is an open decision',
  read: readReceipt,
};

/**
 * How other words for a contract's fields are read: those of the two artifacts of the article "How to Design
 * Idempotent Tools for AI Agents". The first that matches is taken; a field that is stated under both names is refused.
 */
export const ALIASES: readonly Alias[] = [
  {
    from: 'effect_class',
    to: 'effect_class',
    accepts: Object.keys(CLASS_WORDS).join(', '),
    read: readClass,
  },
  ...['supplied_by', 'derived_by'].map((name) =>
    kept(
      `operation_key.${name}`,
      'application',
      /^application$/,
      'The key comes from the application, never from the model.',
    ),
  ),
  {
    from: 'operation_key.scope',
    to: 'operation_key.scope',
    accepts: 'parts joined by +, with or without _id',
    read: readScope,
  },
  {
    from: 'operation_key.reused_for_retry',
    to: 'operation_key.reused_for',
    accepts: 'true',
    read: readReuse,
  },
  {
    from: 'operation_key.new_key_requires',
    to: 'operation_key.new_key_on',
    accepts: 'words',
    read: readNewKey,
  },
  ...both(['request_fingerprint.fields', 'request_fingerprint.canonical_fields'], {
    to: 'material',
    accepts: 'names, each compared as it is; tool, version and tenant always belong to it',
    read: readFields,
  }),
  kept('request_fingerprint.algorithm', 'SHA-256', /^sha_?256$/, 'A fingerprint is SHA-256.'),
  ...['mismatch_result', 'mismatch'].map((name) =>
    kept(
      `request_fingerprint.${name}`,
      'rejected or rejected_without_effect',
      /^rejected(_without_effect)?$/,
      'A mismatch is rejected and performs nothing.',
    ),
  ),
  ...['storage.unique_record', 'storage.unique_by', 'claim.unique_record', 'claim.unique_by'].map((from) =>
    kept(
      from,
      'operation_key or [tenant_id, operation_key]',
      /^(\["tenant_id","operation_key"\]|operation_key)$/,
      'The claim is unique by tenant and operation key.',
    ),
  ),
  ...['storage.durable_store', 'claim.durable_store'].map((from) =>
    kept(
      from,
      'tool_operations',
      /^tool_operations$/,
      'The claim is a row of tool_operations; nothing else is durable and unique.',
    ),
  ),
  ...both(['storage.statuses', 'claim.statuses'], {
    to: null,
    accepts: 'statuses of the record and of an outcome',
    read: readStatuses,
  }),
  ...['responses.replay', 'responses.applied', 'recovery.replay', 'recovery.applied'].map((from) =>
    kept(
      from,
      'replay_stored_result',
      /stored|replay/,
      'An applied operation answers with its stored result.',
    ),
  ),
  ...['responses.in_flight', 'responses.pending', 'recovery.in_flight', 'recovery.pending'].map((from) =>
    kept(from, 'poll_or_recover_owner', /poll|wait/, 'While another worker owns it, the caller polls.'),
  ),
  ...['responses.unknown', 'recovery.unknown'].map((from) =>
    kept(
      from,
      'reconcile_before_retry',
      /reconcil/,
      'What is unknown is reconciled before anything is sent again.',
    ),
  ),
  ...both(['downstream.idempotency_key', 'effect.downstream_key'], {
    to: 'downstream.key',
    accepts: 'operation_key; whether the downstream deduplicates by it stays an open decision',
    read: same,
  }),
  ...both(['downstream.receipt', 'effect.authoritative_receipt'], receipts),
  {
    from: 'security.recheck_authorization',
    to: 'security.recheck_authorization',
    accepts: 'immediately before effect',
    read: (node) => same(node.kind === 'value' ? text(node, wordOf(node)) : node),
  },
  {
    from: 'security.approval',
    to: 'approval',
    accepts: 'a map as in approval; a sentence is an open decision',
    read: (node) =>
      node.kind === 'map'
        ? same(node)
        : {
            open: 'Who approves what? State valid_seconds, with when (values of material fields) where not every operation needs it; or not_needed_because and signed_by.',
          },
  },
  {
    from: 'retention.rule',
    to: 'retention.delays',
    accepts: 'a sentence, which is an open decision until the delays are stated',
    read: () => ({
      open: 'A rule is not a time. How long can each of the eight delays between a call and its duplicate last, in seconds?',
    }),
  },
  {
    from: 'tests',
    to: 'tests',
    accepts: `a list of names: ${Object.keys(TEST_ROWS).join(', ')}`,
    read: readTests,
  },
  { from: 'owner.reconciliation', to: 'owner.team', accepts: 'the team', read: same },
  { from: 'owner.next_review', to: 'next_review', accepts: 'a day', read: same },
];
