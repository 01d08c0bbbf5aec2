import type { FieldRule } from '../contract/contract-parts.ts';
import { rfc8785Text } from './canonical.ts';
import { readDecimal } from './decimal.ts';
import { InvalidArguments } from './invalid-arguments.ts';
import { jsonPath } from './json-path.ts';
import type { PlainJson } from './plain-json.ts';

/**
 * Applies a field's rules in the contract's order. `undefined` is an omitted field: only `default` gives it a
 * value. null stays null. Text rules work on a text, or on each text of an array; other values throw
 * {@link InvalidArguments}, because a rule that silently did nothing would be believed.
 */
export function applyRules(
  field: string,
  rules: readonly FieldRule[],
  given: PlainJson | undefined,
): PlainJson | undefined {
  let value = given;
  for (const rule of rules) {
    if (typeof rule === 'object') value = value === undefined ? rule.default : value;
    else if (rule === 'ignore') return undefined;
    else if (value !== undefined && value !== null) value = RULES[rule](value, field);
  }
  return value;
}

type NamedRule = Exclude<FieldRule & string, 'ignore'>;

const RULES: Readonly<Record<NamedRule, (value: PlainJson, field: string) => PlainJson>> = {
  trim: textRule('trim', (text) => text.trim()),
  collapse_whitespace: textRule('collapse_whitespace', (text) => text.replace(/\s+/g, ' ')),
  lowercase: textRule('lowercase', (text) => text.toLowerCase()),
  nfc: textRule('nfc', (text) => text.normalize('NFC')),
  set: sortedByContent,
  decimal_string: decimalText,
  integer: (value, field) => {
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    throw notApplicable(field, 'integer', 'a whole number');
  },
};

function textRule(rule: string, change: (text: string) => string) {
  return (value: PlainJson, field: string): PlainJson => {
    if (typeof value === 'string') return change(value);
    if (!Array.isArray(value)) throw notApplicable(field, rule, 'text, or an array of texts');
    return value.map((item: PlainJson) => {
      if (typeof item === 'string') return change(item);
      throw notApplicable(field, rule, 'text, or an array of texts');
    });
  };
}

/** Order-free, and nothing more: an element that stands twice stays twice. */
function sortedByContent(value: PlainJson, field: string): PlainJson {
  if (!Array.isArray(value)) throw notApplicable(field, 'set', 'an array');
  const items = value.map((item: PlainJson) => ({ item, text: rfc8785Text(item) }));
  return items
    .sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
    .map(({ item }) => item);
}

/** `10`, `"10"` and `"+010.00"` are one decimal number, `"10"`; an exponent is refused as a sign of a float. */
function decimalText(value: PlainJson, field: string): PlainJson {
  const source = typeof value === 'number' ? String(value) : value;
  const decimal = typeof source === 'string' && !/e/i.test(source) ? readDecimal(source) : undefined;
  if (decimal === undefined) {
    throw notApplicable(field, 'decimal_string', 'a decimal number without exponent, as text');
  }
  const { negative, digits, exponent } = decimal;
  const padded =
    exponent < 0 ? digits.padStart(1 - exponent, '0') : `${digits || '0'}${'0'.repeat(exponent)}`;
  const text = exponent < 0 ? `${padded.slice(0, exponent)}.${padded.slice(exponent)}` : padded;
  return negative ? `-${text}` : text;
}

function notApplicable(field: string, rule: string, expected: string): InvalidArguments {
  const path = jsonPath([field]);
  return new InvalidArguments(
    'rule_not_applicable',
    path,
    `The contract applies ${rule} to ${path}, which needs ${expected}; send that, or change the contract.`,
  );
}
