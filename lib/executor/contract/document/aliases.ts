import { STATUSES, OUTCOME_STATUSES } from '../../../domain/states.ts';
import { plainOf, type SourceNode } from './source.ts';

/** What an alias makes of a value: the contract's own value, a decision that is still open, or a refusal. */
export type Reading = { value: SourceNode } | { open: string } | { wrong: string } | 'kept_by_the_executor';

export interface Alias {
  /** Where it stands in a document. */
  from: string;
  /** Where a contract has it; null where it says what the executor does in any case. */
  to: string | null;
  /** What is accepted, for the table in docs/contracts.md. */
  accepts: string;
  read(node: SourceNode): Reading;
}

const textOf = (node: SourceNode): string =>
  node.kind === 'value' ? String(node.value) : JSON.stringify(plainOf(node));
const wordOf = (node: SourceNode): string =>
  textOf(node)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
const text = (node: SourceNode, value: string): SourceNode => ({ kind: 'value', at: node.at, value });
const flag = (node: SourceNode, value: boolean): SourceNode => ({ kind: 'value', at: node.at, value });
const same = (node: SourceNode): Reading => ({ value: node });

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

const CLASS_WORDS: { readonly [word: string]: string } = {
  key_based_idempotent: 'key_based',
  key_based_create: 'key_based',
  key_based_command: 'key_based',
  natural_idempotent_state_change: 'natural_idempotent',
  non_idempotent_increment: 'non_idempotent',
  non_idempotent_append: 'non_idempotent',
  irreversible_action: 'irreversible',
};

function readClass(node: SourceNode): Reading {
  const word = CLASS_WORDS[wordOf(node)];
  return same(word === undefined ? node : text(node, word));
}

/** `tenant + environment + workflow_id + step_id`. */
function readScope(node: SourceNode): Reading {
  if (node.kind !== 'value') return same(node);
  const parts = textOf(node)
    .split('+')
    .map((part) => part.trim().replace(/_id$/, ''));
  return { value: { kind: 'list', at: node.at, inline: true, items: parts.map((part) => text(node, part)) } };
}

function readReuse(node: SourceNode): Reading {
  if (plainOf(node) !== true)
    return {
      wrong: 'Every retry of a step reuses its key; a key that is not reused identifies nothing. Write true.',
    };
  return { value: text(node, 'Every retry of the step reuses the key.') };
}

/** `explicit_new_business_intent`. */
function readNewKey(node: SourceNode): Reading {
  if (node.kind !== 'value') return same(node);
  const words = textOf(node).replaceAll('_', ' ');
  return { value: text(node, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`) };
}

/** In every fingerprint, or beside it, whatever a contract lists. */
const ALWAYS_IN = new Set(['tool', 'tool_name', 'tool_version', 'tenant', 'tenant_id']);

function readFields(node: SourceNode): Reading {
  if (node.kind !== 'list') return { open: 'Which fields define sameness? List their names.' };
  const names = node.items.filter((item) => !ALWAYS_IN.has(textOf(item)));
  const field = (item: SourceNode): SourceNode => ({
    kind: 'map',
    at: item.at,
    entries: new Map([['rules', { kind: 'list', at: item.at, inline: true, items: [] }]]),
  });
  return {
    value: { kind: 'map', at: node.at, entries: new Map(names.map((item) => [textOf(item), field(item)])) },
  };
}

/** `ticket_id` is a field; `ticket_id or provider request reference` has still to be decided. */
function readReceipt(node: SourceNode): Reading {
  if (node.kind === 'map') return same(node);
  const name = textOf(node);
  if (!/^[\w.*-]+$/.test(name))
    return {
      open: 'Which one field of the answer is the authoritative receipt? State receipt: field and required.',
    };
  return {
    value: {
      kind: 'map',
      at: node.at,
      entries: new Map([
        ['field', text(node, name)],
        ['required', flag(node, true)],
      ]),
    },
  };
}

const TEST_ROWS: { readonly [name: string]: readonly string[] } = {
  duplicate_same_key: ['T1.1', 'T2.1'],
  lost_response_after_commit: ['T1.2', 'T2.2'],
  crash_before_completion: ['T1.3', 'T2.3'],
  concurrent_claim: ['T1.4', 'T2.4'],
  changed_fingerprint: ['T1.5', 'T2.5'],
  new_key_same_arguments: ['T1.6', 'T2.6'],
  revoked_authorization: ['T1.7', 'T2.7'],
  expired_key: ['T1.8', 'T2.8'],
  delayed_job: ['T1.9', 'T2.9'],
  malformed_result: ['T1.10'],
};

/** A list of names; an unknown one is asked for by an empty field of the map. */
function readTests(node: SourceNode): Reading {
  if (node.kind !== 'list') return same(node);
  const rowsOf = (item: SourceNode): SourceNode => {
    const rows = TEST_ROWS[wordOf(item)];
    if (rows === undefined) return { kind: 'value', at: item.at, value: null };
    return { kind: 'list', at: item.at, inline: true, items: rows.map((row) => text(item, row)) };
  };
  return {
    value: {
      kind: 'map',
      at: node.at,
      entries: new Map(node.items.map((item) => [textOf(item), rowsOf(item)])),
    },
  };
}

function readStatuses(node: SourceNode): Reading {
  const known: readonly string[] = [...STATUSES, ...OUTCOME_STATUSES];
  const stranger =
    node.kind === 'list' ? node.items.map(textOf).find((status) => !known.includes(status)) : textOf(node);
  return stranger === undefined
    ? 'kept_by_the_executor'
    : { wrong: `The record has no status ${stranger}. Write some of ${[...new Set(known)].join(', ')}.` };
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
