import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../identity/fingerprint.ts';
import { readIdentityRules, type IdentityRules } from '../identity-rules.ts';
import { ticketsCreate } from '../sample-contracts.ts';
import { checkPayload } from './check-payload.ts';

const from = readIdentityRules(ticketsCreate);
const ARGS = { queue_id: 'support', subject: 'Refund', body: 'Twice ', customer_id: 'cus_1' };
const rulesWith = (material: object, change: object = {}): IdentityRules =>
  readIdentityRules({ ...ticketsCreate, material: { ...ticketsCreate.material, ...material }, ...change });
const line = (change: object = {}) =>
  JSON.stringify({ tenant_id: 'acme', operation_key: 'acme:prod:w:s', arguments: ARGS, ...change });
const because = 'The service does the same.';

describe('checkPayload', () => {
  it('matches where the new rules give the same fingerprint', () => {
    expect(checkPayload(line(), from, from)).toEqual({
      operation_key: 'acme:prod:w:s',
      verdict: 'match',
      reason: null,
    });
    expect(checkPayload(line(), from, rulesWith({ priority: { rules: [] } })).verdict).toBe('match');
    const { fingerprint: stored } = fingerprint(from, 'acme', ARGS);
    expect(checkPayload(line({ request_fingerprint: stored }), from, from).verdict).toBe('match');
  });

  it('reads the material of a sealed request too', () => {
    const sealed = JSON.stringify({ tool: 'tickets.create', tenant_id: 'acme', material: ARGS });
    expect(checkPayload(sealed, from, from)).toMatchObject({ operation_key: null, verdict: 'match' });
  });

  it.each<[string, IdentityRules, RegExp]>([
    [
      'a rule that changes a value',
      rulesWith({ body: { rules: ['trim'], because } }),
      /^body has another value under the new rules \(no rules, now trim\)$/,
    ],
    [
      'a default that fills in what was left out',
      rulesWith({ priority: { rules: [{ default: 'normal' }], because } }),
      /^priority identifies the request now \(default\)$/,
    ],
    [
      'a field that no longer identifies',
      rulesWith({ body: { rules: ['ignore'], because } }),
      /^body no longer identifies the request$/,
    ],
    ['another name', rulesWith({}, { name: 'tickets.open' }), /^the tool is called tickets\.open/],
  ])('finds a mismatch by %s, and names fields and rules without a value', (_name, to, expected) => {
    const { verdict, reason } = checkPayload(line(), from, to);
    expect(verdict).toBe('mismatch');
    expect(reason).toMatch(expected);
    for (const value of Object.values(ARGS)) expect(reason).not.toContain(value);
  });

  const { body: _body, ...withoutBody } = ticketsCreate.material;
  it.each<[string, string, IdentityRules, RegExp]>([
    [
      'a field that was removed',
      line(),
      readIdentityRules({ ...ticketsCreate, material: withoutBody }),
      /^\$\.body: /,
    ],
    [
      'a rule that cannot be applied',
      line(),
      rulesWith({ subject: { rules: ['integer'] } }),
      /^\$\.subject: /,
    ],
    [
      'a request that the old contract could not take',
      line({ arguments: { ...ARGS, urgent: true } }),
      from,
      /^not a request of the old contract: \$\.urgent/,
    ],
    [
      'a masked value',
      line({ arguments: { ...ARGS, customer_id: 'cus_••••' } }),
      from,
      /^customer_id is masked/,
    ],
    ['a fingerprint of other arguments', line({ request_fingerprint: 'sha256:00' }), from, /another one/],
    ['a line that is not JSON', '{', from, /^not JSON/],
    ['a line with a key twice', '{"tenant_id":"a","tenant_id":"b"}', from, /^not JSON/],
    ['a line without a request', '{"tenant_id":"a"}', from, /^not a stored request: It has neither or both/],
    ['a line without a tenant', line({ tenant_id: undefined }), from, /^not a stored request: tenant_id/],
  ])('cannot rebuild %s', (_name, text, to, expected) => {
    const { verdict, reason } = checkPayload(text, from, to);
    expect(verdict).toBe('impossible');
    expect(reason).toMatch(expected);
  });
});
