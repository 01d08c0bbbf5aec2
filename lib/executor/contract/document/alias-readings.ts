import { STATUSES, OUTCOME_STATUSES } from '../../../domain/states.ts';
import { plainOf, type SourceNode } from './source.ts';

/** What an alias makes of a value: the contract's own value, a decision that is still open, or a refusal. */
export type Reading = { value: SourceNode } | { open: string } | { wrong: string } | 'kept_by_the_executor';

const textOf = (node: SourceNode): string =>
  node.kind === 'value' ? String(node.value) : JSON.stringify(plainOf(node));
export const wordOf = (node: SourceNode): string =>
  textOf(node)
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
export const text = (node: SourceNode, value: string): SourceNode => ({ kind: 'value', at: node.at, value });
const flag = (node: SourceNode, value: boolean): SourceNode => ({ kind: 'value', at: node.at, value });
export const same = (node: SourceNode): Reading => ({ value: node });

export const CLASS_WORDS: { readonly [word: string]: string } = {
  key_based_idempotent: 'key_based',
  key_based_create: 'key_based',
  key_based_command: 'key_based',
  natural_idempotent_state_change: 'natural_idempotent',
  non_idempotent_increment: 'non_idempotent',
  non_idempotent_append: 'non_idempotent',
  irreversible_action: 'irreversible',
};

export function readClass(node: SourceNode): Reading {
  const word = CLASS_WORDS[wordOf(node)];
  return same(word === undefined ? node : text(node, word));
}

/** `tenant + environment + workflow_id + step_id`. */
export function readScope(node: SourceNode): Reading {
  if (node.kind !== 'value') return same(node);
  const parts = textOf(node)
    .split('+')
    .map((part) => part.trim().replace(/_id$/, ''));
  return { value: { kind: 'list', at: node.at, inline: true, items: parts.map((part) => text(node, part)) } };
}

export function readReuse(node: SourceNode): Reading {
  if (plainOf(node) !== true)
    return {
      wrong: 'Every retry of a step reuses its key; a key that is not reused identifies nothing. Write true.',
    };
  return { value: text(node, 'Every retry of the step reuses the key.') };
}

/** `explicit_new_business_intent`. */
export function readNewKey(node: SourceNode): Reading {
  if (node.kind !== 'value') return same(node);
  const words = textOf(node).replaceAll('_', ' ');
  return { value: text(node, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`) };
}

/** In every fingerprint, or beside it, whatever a contract lists. */
const ALWAYS_IN = new Set(['tool', 'tool_name', 'tool_version', 'tenant', 'tenant_id']);

export function readFields(node: SourceNode): Reading {
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
export function readReceipt(node: SourceNode): Reading {
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

export const TEST_ROWS: { readonly [name: string]: readonly string[] } = {
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
export function readTests(node: SourceNode): Reading {
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

export function readStatuses(node: SourceNode): Reading {
  const known: readonly string[] = [...STATUSES, ...OUTCOME_STATUSES];
  const stranger =
    node.kind === 'list' ? node.items.map(textOf).find((status) => !known.includes(status)) : textOf(node);
  return stranger === undefined
    ? 'kept_by_the_executor'
    : { wrong: `The record has no status ${stranger}. Write some of ${[...new Set(known)].join(', ')}.` };
}
