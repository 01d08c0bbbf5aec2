import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArguments } from './invalid-arguments.ts';
import { downstreamKey, operationKey, successorKey, type OperationKeyParts } from './operation-key.ts';

const parts: OperationKeyParts = {
  tenantId: 'acme',
  environment: 'production',
  workflowId: 'run_827',
  stepId: 'record_issue',
};

function refusal(changed: Record<string, unknown>): InvalidArguments {
  try {
    operationKey({ ...parts, ...changed });
  } catch (error) {
    if (error instanceof InvalidArguments) return error;
    throw error;
  }
  throw new Error('the key was accepted');
}

describe('operationKey', () => {
  it('is tenant:environment:workflow:step', () => {
    expect(operationKey(parts)).toBe('acme:production:run_827:record_issue');
  });

  it.each([
    [undefined, 'key_part_missing'],
    [null, 'key_part_missing'],
    [827, 'key_part_missing'],
    ['', 'key_part_missing'],
    [' ', 'key_part_missing'],
    ['\u00a0\ufeff', 'key_part_missing'],
    ['undefined', 'key_part_placeholder'],
    ['null', 'key_part_placeholder'],
    ['NaN', 'key_part_placeholder'],
    ['run_undefined', 'key_part_placeholder'],
    ['[object Object]', 'key_part_placeholder'],
    [' run', 'key_part_untrimmed'],
    ['run\n', 'key_part_untrimmed'],
    ['ru\u0000n', 'key_part_unprintable'],
    ['ru\nn', 'key_part_unprintable'],
    ['ru\u202en', 'key_part_unprintable'],
    ['ru\u2028n', 'key_part_unprintable'],
    ['ru\ud800n', 'key_part_unprintable'],
  ])('[B27] refuses the part %j (%s) wherever it stands', (part, code) => {
    for (const name of Object.keys(parts)) {
      const error = refusal({ [name]: part });
      expect([error.code, error.path]).toEqual([code, `$.${name}`]);
    }
  });

  it('[B27] keeps a:b + c and a + b:c apart', () => {
    const left = operationKey({ ...parts, workflowId: 'a:b', stepId: 'c' });
    const right = operationKey({ ...parts, workflowId: 'a', stepId: 'b:c' });
    expect(left).toBe('acme:production:a%3Ab:c');
    expect(right).toBe('acme:production:a:b%3Ac');
  });

  it('encodes %, : and ! and nothing else', () => {
    expect(operationKey({ ...parts, stepId: '100%:done!' })).toBe('acme:production:run_827:100%25%3Adone%21');
    expect(operationKey({ ...parts, stepId: 'Größe/1 🎫' })).toBe('acme:production:run_827:Größe/1 🎫');
  });

  it('gives different keys to different parts, and no part can forge another part or a successor', () => {
    const part = fc
      .string({ unit: fc.constantFrom('a', 'b', ':', '!', '%', '3', 'A', '1'), minLength: 1, maxLength: 6 })
      .filter((text) => text.trim() === text);
    const anyParts = fc.record({ tenantId: part, environment: part, workflowId: part, stepId: part });
    fc.assert(
      fc.property(anyParts, anyParts, fc.integer({ min: 1, max: 9999 }), (one, other, n) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(operationKey(one) === operationKey(other)).toBe(same);
        expect(successorKey(operationKey(one), n)).not.toBe(operationKey(other));
      }),
    );
  });

  it('takes 255 bytes a part, counted as they stand in the key, and refuses 256', () => {
    expect(operationKey({ ...parts, stepId: 'x'.repeat(255) })).toHaveLength(23 + 255 + 1);
    expect(refusal({ stepId: 'x'.repeat(256) }).code).toBe('key_part_too_long');
    expect(refusal({ stepId: 'é'.repeat(128) }).code).toBe('key_part_too_long');
    expect(refusal({ stepId: ':'.repeat(86) }).code).toBe('key_part_too_long');
  });

  it('leaves room for a successor within 1,024 bytes in all', () => {
    const long = { tenantId: 't'.repeat(255), environment: 'e'.repeat(255), workflowId: 'w'.repeat(255) };
    const key = operationKey({ ...long, stepId: 's'.repeat(251) });
    expect(Buffer.byteLength(successorKey(key, 9999))).toBe(1024);
    expect(refusal({ ...long, stepId: 's'.repeat(252) }).code).toBe('key_too_long');
  });

  it.each(['jo@example.com', 'jo.doe+x@mail.example.co.uk', '<jo@example.com>', 'jö@exämple.de'])(
    'refuses the e-mail address %s without repeating it',
    (part) => {
      const error = refusal({ stepId: part });
      expect(error.code).toBe('key_part_personal');
      expect(error.message).not.toContain('jo');
    },
  );

  it.each([
    `sk_live_${'x'.repeat(24)}`,
    `run-rk_test_${'x'.repeat(24)}`,
    'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    'github_pat_11ABC',
    'glpat-20charslong',
    'AKIAIOSFODNN7EXAMPLE',
    'xoxb-1234-abc',
    'sk-ant-api03-x',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    '-----BEGIN PRIVATE KEY-----',
    'Bearer abcdef',
  ])('refuses the credential form %s without repeating it', (part) => {
    const error = refusal({ workflowId: part });
    expect(error.code).toBe('key_part_secret');
    expect(error.message).not.toContain(part.slice(0, 6));
  });

  it.each([
    '4111111111111111',
    '078-05-1120',
    '+4915112345678',
    '550e8400-e29b-41d4-a716-446655440000',
    'risk_live_check',
    'bearer-rotation',
    'basic plan',
    'release@v1.2',
    'check_null_values',
    'handle:NaN',
  ])('accepts the honest id %s: no guessing by digit patterns', (part) => {
    expect(() => operationKey({ ...parts, stepId: part })).not.toThrow();
  });
});

describe('successorKey', () => {
  it('is the key + !n, and a chain keeps its length', () => {
    expect(successorKey('acme:production:run:step', 1)).toBe('acme:production:run:step!1');
    expect(successorKey('acme:production:run:step!1', 2)).toBe('acme:production:run:step!2');
  });

  it.each([0, -1, 1.5, Number.NaN, 10_000])('refuses the number %s', (n) => {
    expect(() => successorKey('acme:production:run:step', n)).toThrow(InvalidArguments);
  });

  it('never gives a successor its own or an earlier key', () => {
    expect(() => successorKey('acme:production:run:step!2', 2)).toThrow(InvalidArguments);
  });

  it.each(['step', 'a:b:c', 'a:b:c:d:e', 'a:b:c:d!0', 'a:b:c:d!1!1', ''])(
    'refuses the foreign key %j',
    (key) => {
      expect(() => successorKey(key, 1)).toThrow(InvalidArguments);
    },
  );
});

describe('downstreamKey', () => {
  it('is the operation key, or the stated number of hex digits of its SHA-256', () => {
    expect(downstreamKey('acme:production:run:step', 'operation_key')).toBe('acme:production:run:step');
    expect(downstreamKey('abc', { digest: 'sha256', length: 32 })).toBe('ba7816bf8f01cfea414140de5dae2223');
  });

  it.each([0, 15, 65, 20.5])('refuses a digest of %s digits', (length) => {
    expect(() => downstreamKey('abc', { digest: 'sha256', length })).toThrow(RangeError);
  });
});
