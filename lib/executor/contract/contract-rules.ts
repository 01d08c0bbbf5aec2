import { capabilitiesOf } from './capabilities.ts';
import type { FieldRule } from './contract-parts.ts';
import type { ContractProblem } from './invalid-contract.ts';
import { promiseProblems } from './promise-rules.ts';
import type { Stated } from './stated.ts';
import { isIdentityName } from './tool-input.ts';

/**
 * The rules between fields of a contract that DESIGN states, on as much of it as is known: what promises more than
 * it has means for is refused. Worksheet, risks and decision are the review's (`review/lint-contract.ts`).
 */
export function contractProblems(contract: Stated): ContractProblem[] {
  return [
    ...classProblems(contract),
    ...materialProblems(contract),
    ...referenceProblems(contract),
    ...recoveryProblems(contract),
    ...promiseProblems(contract),
  ];
}

type Problems = Generator<ContractProblem, void, undefined>;

function* classProblems(contract: Stated): Problems {
  const { effect_class: effectClass, mode, receipt, lookup, approval, decision } = contract;
  const writes = effectClass !== undefined && effectClass !== 'read';
  if (effectClass === 'non_idempotent' && mode === undefined) {
    yield {
      path: 'mode',
      cause: 'effect_class',
      sentence:
        'A non-idempotent effect must say keyed, absolute or one_shot: without it nobody knows whether it may be sent again.',
    };
  }
  if (effectClass !== undefined && effectClass !== 'non_idempotent' && mode !== undefined) {
    yield {
      path: 'mode',
      sentence: `Only a non_idempotent effect has a mode; remove it from this ${effectClass} one.`,
    };
  }
  if (writes && contract.effects?.length === 0) {
    yield {
      path: 'effects',
      sentence: 'Name the whole business effect: the record, and every notification or delayed work with it.',
    };
  }
  if (writes && effectClass !== 'natural_idempotent' && receipt?.required !== true) {
    yield {
      path: 'receipt',
      cause: receipt === undefined ? 'effect_class' : 'receipt',
      sentence:
        'Without a required receipt nothing proves that it was applied; only a natural_idempotent effect may do without.',
    };
  }
  if (effectClass === 'read' && (contract.freshness === undefined || contract.audit_on_read === undefined)) {
    yield {
      path: 'freshness',
      cause: 'effect_class',
      asks: true,
      sentence: 'A read must state its freshness and audit_on_read.',
    };
  }
  if (effectClass === 'irreversible' && lookup === undefined) {
    yield {
      path: 'lookup',
      cause: 'effect_class',
      sentence:
        'An irreversible effect needs a lookup; without one, declare it non_idempotent with mode one_shot.',
    };
  }
  if (effectClass === 'irreversible' && approval === undefined) {
    yield {
      path: 'approval',
      cause: 'effect_class',
      sentence: 'An irreversible effect needs an approval, or not_needed_because, signed.',
    };
  }
  if (decision === 'automate_with_approval' && !(approval && 'valid_seconds' in approval)) {
    yield {
      path: 'approval',
      cause: 'decision',
      sentence: 'The decision is automate_with_approval: state valid_seconds, how long an approval holds.',
    };
  }
}

function* materialProblems({ material = {}, ignored = {} }: Stated): Problems {
  for (const name of [...Object.keys(material), ...Object.keys(ignored)]) {
    if (isIdentityName(name)) {
      yield {
        path: name,
        sentence:
          'Identity comes from the application, never from arguments; take this field out of the tool.',
      };
    }
  }
  for (const [name, field] of Object.entries(material)) {
    if (field === undefined) continue;
    const path = `material.${name}`;
    const rules = field.rules?.map(nameOfRule) ?? [];
    if (Object.hasOwn(ignored, name))
      yield { path, sentence: 'The field is both material and ignored; choose one.' };
    if (/^approval_?id$/i.test(name)) {
      yield { path, sentence: "An approval's id differs each time; list what was approved instead." };
    }
    if (new Set(rules).size < rules.length)
      yield { path: `${path}.rules`, sentence: 'A rule stands twice; keep one.' };
    if (rules.includes('default') && rules[0] !== 'default') {
      yield {
        path: `${path}.rules`,
        sentence: 'default must be the first rule, since the others work on the value.',
      };
    }
    if (rules.includes('set') && rules.at(-1) !== 'set') {
      yield {
        path: `${path}.rules`,
        sentence: 'set must be the last rule, since the others change what is sorted.',
      };
    }
    if (rules.includes('ignore') && rules.length > 1) {
      yield { path: `${path}.rules`, sentence: 'An ignored field has no other rule.' };
    }
    if (rules.some((rule) => rule !== 'integer') && field.because === undefined) {
      yield {
        path: `${path}.because`,
        sentence: 'A rule here makes different requests equal; say why the downstream sees no difference.',
      };
    }
  }
}

function nameOfRule(rule: FieldRule): string {
  return typeof rule === 'string' ? rule : 'default';
}

function* referenceProblems(contract: Stated): Problems {
  const named = [
    ...entriesOf('lookup.compare', contract.lookup?.compare),
    ...entriesOf('postcondition', contract.postcondition),
    ...entriesOf('', { target_label: contract.target_label, version_condition: contract.version_condition }),
  ];
  for (const [path, field] of named) {
    if (!isMaterial(contract, field)) {
      yield { path, sentence: `${field} is not a material field; name one that identifies the request.` };
    }
  }
  for (const [path, field] of entriesOf('lookup.compare', contract.lookup?.compare)) {
    if (contract.material?.[field]?.sensitive === true) {
      yield {
        path,
        sentence: `${field} is masked in what a lookup is compared with; compare another field.`,
      };
    }
  }
  const { fields, sensitive } = contract.replay ?? {};
  for (const field of fields === undefined ? [] : (sensitive ?? [])) {
    if (fields?.includes(field) !== true) {
      yield {
        path: 'replay.sensitive',
        sentence: `${field} is not one of replay.fields; add it there or remove it here.`,
      };
    }
  }
  if (contract.version !== undefined && Object.hasOwn(contract.supersedes ?? {}, contract.version)) {
    yield { path: `supersedes.${contract.version}`, sentence: 'A version cannot supersede itself.' };
  }
}

function* recoveryProblems(contract: Stated): Problems {
  const { deduplicates, key_window_seconds: keyWindow } = contract.downstream ?? {};
  if (deduplicates === true && keyWindow === undefined) {
    yield {
      path: 'downstream.key_window_seconds',
      asks: true,
      sentence: 'The downstream deduplicates: state for how long it remembers a key.',
    };
  }
  const { lookup, recovery_seconds: recovery } = contract;
  if (lookup === undefined && recovery === undefined && capabilitiesOf(contract).resend !== 'never') {
    yield {
      path: 'recovery_seconds',
      cause: 'downstream.deduplicates',
      asks: true,
      sentence: 'It may be sent again without a lookup: state how long recovering may last.',
    };
  }
  if (lookup !== undefined && recovery !== undefined) {
    yield {
      path: 'recovery_seconds',
      sentence: 'lookup.deadline_seconds already says how long recovering may last; remove this.',
    };
  }
}

/** Whether a field identifies the request. */
function isMaterial({ material = {} }: Stated, field: string): boolean {
  const named = Object.hasOwn(material, field) ? material[field] : undefined;
  return named !== undefined && named.rules?.includes('ignore') !== true;
}

function entriesOf(
  path: string,
  fields: { readonly [key: string]: string | undefined } = {},
): [string, string][] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field === undefined ? [] : [[[path, key].filter(Boolean).join('.'), field]],
  );
}
