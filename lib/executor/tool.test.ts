import { expect, test } from 'vitest';
import { z } from 'zod';
import { ticketsCreateContract } from '../demo/tools/tickets-create.ts';
import { defineContract, defineTool, type LookupAnswer } from './index.ts';

const contract = defineContract(ticketsCreateContract);
const effect = async () => ({ kind: 'unclear' as const, because: 'not sent in this test' });
const lookup = async (): Promise<LookupAnswer> => ({ answer: 'absent' });
const fields = { queue_id: z.string(), subject: z.string(), body: z.string(), customer_id: z.string() };

test('a tool whose schema lets the model name its identity is refused, also deep inside', () => {
  const nested = z.strictObject({
    ...fields,
    body: z.object({ meta: z.array(z.object({ 'Idempotency-Key': z.string() })) }),
  });
  expect(() => defineTool({ contract, input: nested, effect, lookup })).toThrow('Idempotency-Key');
  expect(() =>
    defineTool({ contract, input: z.strictObject({ ...fields, tenantId: z.string() }), effect, lookup }),
  ).toThrow('tenantId');
});

test('a property that the contract lists neither as material nor as ignored is refused', () => {
  expect(() =>
    defineTool({ contract, input: z.strictObject({ ...fields, priority: z.string() }), effect, lookup }),
  ).toThrow('priority');
});

test('contract and tool state a lookup both or neither', () => {
  expect(() => defineTool({ contract, input: z.strictObject(fields), effect })).toThrow('the tool has none');
  const { lookup: _lookup, ...without } = ticketsCreateContract;
  const bare = defineContract({ ...without, recovery_seconds: 60 });
  expect(() => defineTool({ contract: bare, input: z.strictObject(fields), effect, lookup })).toThrow(
    'the contract has none',
  );
});

test('a contract that verifies the target’s version needs a tool that can read it', () => {
  const verifying = defineContract({
    ...ticketsCreateContract,
    version_condition: 'subject',
    security: { recheck_authorization: 'immediately_before_effect', verify_target_version: true },
  });
  expect(() => defineTool({ contract: verifying, input: z.strictObject(fields), effect, lookup })).toThrow(
    'verify_target_version',
  );
});
