import { describe, expect, it } from 'vitest';
import type { Contract } from '../contract/contract.ts';
import { InvalidArguments } from './invalid-arguments.ts';
import { materialRequest } from './material.ts';

type Fields = Contract['material'];

function materialOf(fields: Fields, args: unknown, ignored: Record<string, string> = {}) {
  return materialRequest({ name: 'tool', material: fields, ignored }, 'acme', args).material;
}

function refusal(fields: Fields, args: unknown): InvalidArguments {
  try {
    materialOf(fields, args);
  } catch (error) {
    if (error instanceof InvalidArguments) return error;
    throw error;
  }
  throw new Error('the arguments were accepted');
}

describe('materialRequest', () => {
  it.each<[Fields[string]['rules'], unknown, unknown]>([
    [[], '  A  b ', '  A  b '],
    [['trim'], ' \t A  b\n', 'A  b'],
    [['collapse_whitespace'], 'a  b\n\tc', 'a b c'],
    [['lowercase'], 'JO@Example.COM', 'jo@example.com'],
    [['nfc'], 'A\u030a', '\u00c5'],
    [
      ['trim', 'lowercase', 'set'],
      [' B', 'a'],
      ['a', 'b'],
    ],
    [['set'], [{ sku: 'B' }, { sku: 'A' }, { sku: 'B' }], [{ sku: 'A' }, { sku: 'B' }, { sku: 'B' }]],
    [['set'], [10, 9, '1'], ['1', 10, 9]],
    [['integer'], 10, 10],
    [['decimal_string'], 10, '10'],
    [['decimal_string'], 10.5, '10.5'],
    [['decimal_string'], '10.50', '10.5'],
    [['decimal_string'], '+0010.00', '10'],
    [['decimal_string'], '-0.0', '0'],
    [['decimal_string'], '-.5'.replace('.', '0.'), '-0.5'],
    [['decimal_string'], '0.0010', '0.001'],
    [['decimal_string'], '1200', '1200'],
    [['decimal_string'], '123456789012345678901234567890.10', '123456789012345678901234567890.1'],
    [[{ default: 'support' }], undefined, 'support'],
    [[{ default: 'support' }], 'sales', 'sales'],
    [[{ default: 'support' }], null, null],
    [[{ default: ' X ' }, 'trim', 'lowercase'], undefined, 'x'],
    [['trim'], undefined, undefined],
    [['trim'], null, null],
    [['integer'], null, null],
    [['ignore'], 'anything', undefined],
  ])('applies %j to %j', (rules, given, expected) => {
    expect(materialOf({ field: { rules } }, { field: given })).toEqual(
      expected === undefined ? {} : { field: expected },
    );
  });

  it.each<[Fields[string]['rules'], unknown]>([
    [['trim'], 5],
    [['trim'], ['a', 5]],
    [['lowercase'], { a: 1 }],
    [['set'], 'abc'],
    [['integer'], '10'],
    [['integer'], 1.5],
    [['decimal_string'], '1e3'],
    [['decimal_string'], 1e-7],
    [['decimal_string'], '1,000'],
    [['decimal_string'], ''],
    [['decimal_string'], '.5'],
    [['decimal_string'], true],
  ])('refuses %j on %j instead of doing nothing', (rules, given) => {
    expect(refusal({ field: { rules } }, { field: given })).toMatchObject({
      code: 'rule_not_applicable',
      path: '$.field',
    });
  });

  it('refuses a number that is not whole and has no rule, nested too', () => {
    expect(refusal({ amount: { rules: [] } }, { amount: 0.1 + 0.2 })).toMatchObject({
      code: 'number_needs_rule',
      path: '$.amount',
    });
    const nested = { lines: [{ price: 1 }, { price: 1.5 }] };
    expect(refusal({ lines: { rules: [] } }, nested).path).toBe('$.lines[1].price');
    expect(materialOf({ amount: { rules: [] } }, { amount: 10.0 })).toEqual({ amount: 10 });
  });

  it('refuses, by name, a field that the contract does not list', () => {
    expect(refusal({}, { priority: 1 })).toMatchObject({ code: 'unlisted_field', path: '$.priority' });
    expect(refusal({}, { constructor: 1 }).code).toBe('unlisted_field');
  });

  it('leaves ignored fields out and does not invent absent ones', () => {
    const fields = { subject: { rules: [] }, constructor: { rules: [] } };
    expect(materialOf(fields, { subject: 'x', trace_id: 'y' }, { trace_id: 'Telemetry.' })).toEqual({
      subject: 'x',
    });
  });

  it.each([null, [], 'text', 5])('refuses %j as arguments', (args) => {
    expect(refusal({}, args).code).toBe('not_json');
  });

  it('refuses a request without tenant', () => {
    const contract = { name: 'tool', material: {}, ignored: {} };
    expect(() => materialRequest(contract, '', {})).toThrow(InvalidArguments);
    expect(() => materialRequest(contract, undefined as unknown as string, {})).toThrow(InvalidArguments);
  });

  it('masks sensitive fields for people: the kind of an id stays, its length does not show', () => {
    const fields = {
      customer: { rules: [], sensitive: true },
      note: { rules: [], sensitive: true },
      lines: { rules: [], sensitive: true },
      amount: { rules: [] },
    };
    const args = { customer: 'cus_9s6XKzkNRiz8i3', note: 'long text', lines: [{ sku: 'A' }], amount: 5 };
    const { redacted, material } = materialRequest(
      { name: 't', material: fields, ignored: {} },
      'acme',
      args,
    );
    expect(redacted).toEqual({ customer: 'cus_••••', note: '••••', lines: '••••', amount: 5 });
    expect(material).toEqual(args);
  });

  it('takes linear time on hostile numbers', () => {
    const hostile = `1.${'0'.repeat(200_000)}1x`;
    const started = performance.now();
    expect(refusal({ field: { rules: ['decimal_string'] } }, { field: hostile }).code).toBe(
      'rule_not_applicable',
    );
    materialOf({ field: { rules: ['decimal_string'] } }, { field: hostile.slice(0, -1) });
    expect(performance.now() - started).toBeLessThan(500);
  });
});
