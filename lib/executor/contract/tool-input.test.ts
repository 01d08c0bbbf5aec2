import { describe, expect, it } from 'vitest';
import { ticketsCreate } from './sample-contracts.ts';
import { defineContract } from './define-contract.ts';
import { assertEveryFieldListed, assertNoIdentityInSchema } from './tool-input.ts';

describe('assertNoIdentityInSchema', () => {
  it.each([
    'operation_key',
    'operationKey',
    'Idempotency-Key',
    'idempotency_key',
    'fingerprint',
    'request_fingerprint',
    'tenant',
    'tenant_id',
    'TENANTID',
    'ｔenant_id',
    'ten\u200bant',
    'lease_token',
    'successor_key',
    'intent_event',
  ])('refuses the property %s: nothing of identity comes from the model', (name) => {
    expect(() => assertNoIdentityInSchema(['subject', name])).toThrow(/Identity comes from the application/);
  });

  it.each(['key', 'api_key_name', 'tenancy', 'environment', 'customer_id', 'operation', 'token'])(
    'accepts %s',
    (name) => {
      expect(() => assertNoIdentityInSchema([name])).not.toThrow();
    },
  );
});

describe('assertEveryFieldListed', () => {
  const contract = defineContract(ticketsCreate);

  it('refuses, by name, a property in neither list', () => {
    expect(() => assertEveryFieldListed(contract, ['subject', 'priority', 'constructor'])).toThrow(
      /tickets\.create@2026-08-18 .*\n- priority: .*\n- constructor: /,
    );
  });

  it('accepts material and ignored ones', () => {
    expect(() => assertEveryFieldListed(contract, ['subject', 'trace_id'])).not.toThrow();
  });
});
