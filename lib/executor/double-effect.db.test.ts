import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentsCharge } from '../demo/tools/payments-charge.ts';
import { keyOf, newStep, newVersion, openBench, PAYMENT, type Bench } from './testing/bench.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const onePerInvoice = () =>
  paymentsCharge(
    { url: bench.deskline.url },
    { version: newVersion(), one_effect_per_business_reference: true },
  );

test('[B71] two keys charged one invoice: the second is applied with its receipt, and is a case that names it', async () => {
  const executor = await bench.executor([onePerInvoice()]);
  const first = newStep({ businessReference: 'inv_7' });
  const second = newStep({ businessReference: 'inv_7' });
  const outcomes = await Promise.all([
    executor.execute('payments.charge', PAYMENT, first),
    executor.execute('payments.charge', PAYMENT, second),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
  expect([...(await bench.effects(keyOf(first))), ...(await bench.effects(keyOf(second)))]).toHaveLength(2);
  const rows = await Promise.all([bench.row(keyOf(first)), bench.row(keyOf(second))]);
  const alarmed = rows.filter((row) => row['contradicted_at'] !== null);
  expect(alarmed).toHaveLength(1);
  expect(alarmed[0]?.['case_at']).not.toBeNull();
  const [apply] = (await bench.events(String(alarmed[0]?.['operation_key']))).filter(
    ({ kind }) => kind === 'apply',
  );
  expect(apply?.['detail']).toMatchObject({ second_effect_of: 'inv_7' });
});

test('another invoice, another tool version without the promise, and a replay are no alarm', async () => {
  const executor = await bench.executor([onePerInvoice()]);
  const step = newStep({ businessReference: 'inv_8' });
  await executor.execute('payments.charge', { ...PAYMENT, invoice_id: 'inv_8' }, step);
  await executor.execute('payments.charge', { ...PAYMENT, invoice_id: 'inv_8' }, step);
  expect((await bench.row(keyOf(step)))['contradicted_at']).toBeNull();

  const free = await bench.executor([paymentsCharge({ url: bench.deskline.url }, { version: newVersion() })]);
  const again = newStep({ businessReference: 'inv_8' });
  await free.execute('payments.charge', { ...PAYMENT, invoice_id: 'inv_8' }, again);
  expect((await bench.row(keyOf(again)))['contradicted_at']).toBeNull();
});
