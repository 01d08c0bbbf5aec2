import type { Contract } from '../contract/contract.ts';
import { applyRules } from './field-rules.ts';
import { InvalidArguments } from './invalid-arguments.ts';
import { jsonPath, type PathSegment } from './json-path.ts';
import { assertPlainJson, type PlainJson } from './plain-json.ts';

export type Material = Readonly<Record<string, PlainJson>>;

export interface MaterialRequest {
  /** The material fields after the contract's rules. */
  material: Material;
  /** The same with sensitive values masked; what people see. */
  redacted: Material;
  /** What a fingerprint is computed over and what is sealed for recovery: tool and tenant are always in it. */
  request: { readonly tool: string; readonly tenant_id: string; readonly material: Material };
}

type Described = Pick<Contract, 'name' | 'material' | 'ignored'>;

/**
 * Takes out of validated arguments what identifies the request. A field that the contract does not list is
 * refused, and so is a number that is not whole and has no rule: 0.1 + 0.2 must not decide an identity. The
 * operation key and the contract's version are never in it. Throws {@link InvalidArguments}.
 */
export function materialRequest(contract: Described, tenantId: string, args: unknown): MaterialRequest {
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new InvalidArguments(
      'key_part_missing',
      '$.tenantId',
      'The request has no tenant; pass the tenant id.',
    );
  }
  const given = fieldsOf(args);
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(contract.material, name) && !Object.hasOwn(contract.ignored, name))
      throw unlisted(name);
  }
  const material: Record<string, PlainJson> = {};
  const redacted: Record<string, PlainJson> = {};
  for (const [name, { rules, sensitive }] of Object.entries(contract.material)) {
    const value = applyRules(name, rules, Object.hasOwn(given, name) ? given[name] : undefined);
    if (value === undefined) continue;
    refuseFractions(value, [name]);
    material[name] = value;
    redacted[name] = sensitive ? masked(value) : value;
  }
  return { material, redacted, request: { tool: contract.name, tenant_id: tenantId, material } };
}

function fieldsOf(args: unknown): Material {
  const plain = assertPlainJson(args);
  if (typeof plain === 'object' && plain !== null && !isArray(plain)) return plain;
  throw new InvalidArguments(
    'not_json',
    '$',
    'The arguments are not an object; send an object of named fields.',
  );
}

/** Array.isArray does not narrow readonly arrays out of a union. */
function isArray(value: PlainJson): value is readonly PlainJson[] {
  return Array.isArray(value);
}

function unlisted(name: string): InvalidArguments {
  const path = jsonPath([name]);
  return new InvalidArguments(
    'unlisted_field',
    path,
    `The contract lists ${path} neither as material nor as ignored; leave it out, or decide in the contract whether it changes the effect.`,
  );
}

function refuseFractions(value: PlainJson, segments: readonly PathSegment[]): void {
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const path = jsonPath(segments);
    throw new InvalidArguments(
      'number_needs_rule',
      path,
      `The number at ${path} is not whole; send a decimal text, or give the field the rule decimal_string.`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (isArray(value)) value.forEach((item, index) => refuseFractions(item, [...segments, index]));
  else for (const [key, item] of Object.entries(value)) refuseFractions(item, [...segments, key]);
}

const MASK = '••••';

/** Of an id, its kind stays readable: `cus_9s6XKzkNRiz8i3` is shown as `cus_••••`. The length is not shown. */
function masked(value: PlainJson): PlainJson {
  const kind = typeof value === 'string' ? (/^[a-z]{2,6}_(?=.)/.exec(value)?.[0] ?? '') : '';
  return `${kind}${MASK}`;
}
