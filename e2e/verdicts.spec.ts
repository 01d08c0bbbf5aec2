import { expect, test, type Page } from '@playwright/test';
import { newStep, openProduct, type Product } from './product.ts';
import { casePath, signIn } from './sign-in.ts';

let product: Product;
test.beforeAll(async () => {
  product = await openProduct();
});
test.afterAll(() => product.close());

const charge = { amount: 4200, currency: 'EUR', invoice_id: 'inv_8841', customer_id: 'cus_77' };
const refund = { payment_id: 'pay_5520', amount: 1300, currency: 'EUR', reason: 'Charged twice' };

/** Absence that is asked for after quiet time and settle window proves something; what was asked before does not. */
async function proveAbsence(page: Page, key: string): Promise<void> {
  await page.goto(casePath(key));
  await expect(page.getByRole('radio', { name: 'It did not happen' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await page.keyboard.press('l');
  await expect(
    page.getByRole('region', { name: 'Evidence' }).getByText('conclusive', { exact: true }),
  ).toBeVisible({
    timeout: 30_000,
  });
}

async function record(page: Page, key: string, verdict: string, reason: string): Promise<void> {
  await page.goto(casePath(key));
  await page.getByRole('radio', { name: verdict }).click();
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: /^Record:/ }).click();
}

const records = async (key: string) =>
  (await product.deskline.effectsFor(key)).filter((effect) => effect.kind === 'record').length;

test('It happened: the agent’s retry gets replayed with the receipt, and nothing new runs', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const step = newStep('charge_card');
  const first = await product.deliver('payments.charge', charge, step, { fault: 'commit_then_drop' });
  expect(first).toMatchObject({ status: 'in_flight', safe_to_repeat: false });
  const unknown = await product.until(first.operation_key, ({ status }) => status === 'unknown');
  expect(unknown).toMatchObject({ evidence: 'found', effect_reference: null });
  expect(await product.deliver('payments.charge', charge, step)).toMatchObject({
    status: 'unknown',
    next_action: 'reconcile',
  });

  await signIn(page, 'Ines Okafor');
  await record(page, first.operation_key, 'It happened', 'Amount and invoice match.');
  const applied = await product.until(first.operation_key, ({ status }) => status === 'applied');
  const again = await product.deliver('payments.charge', charge, step);
  expect(again).toMatchObject({
    status: 'replayed',
    repeated: true,
    effect_reference: applied['effect_reference'],
  });
  expect(await records(first.operation_key)).toBe(1);
});

test('It did not happen: the agent’s retry is told so, and nothing runs', async ({ page }) => {
  test.setTimeout(120_000);
  const step = newStep('refund');
  const first = await product.deliver('refunds.create', refund, step, { fault: 'drop_before_commit' });
  await product.until(first.operation_key, ({ status }) => status === 'unknown');

  await signIn(page, 'Ines Okafor');
  await proveAbsence(page, first.operation_key);
  await record(page, first.operation_key, 'It did not happen', 'Deskline has no such refund.');
  await product.until(first.operation_key, ({ status }) => status === 'failed_permanent');
  expect(await product.deliver('refunds.create', refund, step)).toMatchObject({
    status: 'rejected',
    reason: 'decided',
    repeated: true,
  });
  expect(await records(first.operation_key)).toBe(0);
});

test('Allow a new key: the old key is superseded, its one successor runs once', async ({ page }) => {
  test.setTimeout(120_000);
  const step = newStep('refund');
  const first = await product.deliver('refunds.create', refund, step, { fault: 'drop_before_commit' });
  await product.until(first.operation_key, ({ status }) => status === 'unknown');

  await signIn(page, 'Ines Okafor');
  await proveAbsence(page, first.operation_key);
  await record(
    page,
    first.operation_key,
    'Allow a new key',
    'The customer asked again; the first never ran.',
  );
  await product.until(first.operation_key, ({ status }) => status === 'approved_new_key');
  const superseded = await product.deliver('refunds.create', refund, step);
  expect(superseded).toMatchObject({
    status: 'rejected',
    reason: 'superseded',
    next_action: 'use_successor_key',
  });
  const successorKey = superseded.successor_key ?? '';
  expect(
    await product.deliver('refunds.create', refund, step, { successorKey: `${first.operation_key}!7` }),
  ).toMatchObject({ status: 'rejected', reason: 'superseded' });
  expect(await product.deliver('refunds.create', refund, step, { successorKey })).toMatchObject({
    status: 'applied',
    operation_key: successorKey,
  });
  expect(await product.deliver('refunds.create', refund, step, { successorKey })).toMatchObject({
    status: 'replayed',
  });
  expect([await records(first.operation_key), await records(successorKey)]).toEqual([0, 1]);
});

test('a doubt that nothing disproves: the two verdicts of absence stay visible and say what is missing', async ({
  page,
}) => {
  const step = newStep('notify');
  const first = await product.deliver(
    'messages.send',
    { to: '+49 170 1', template: 'refund_done', text: 'Done.' },
    step,
    { fault: 'truncated_body' },
  );
  expect(first).toMatchObject({ status: 'unknown', next_action: 'reconcile' });
  await signIn(page, 'Ines Okafor');
  await page.goto(casePath(first.operation_key));
  for (const verdict of ['It did not happen', 'Allow a new key']) {
    const option = page.getByRole('radio', { name: verdict });
    await expect(option).toHaveAttribute('aria-disabled', 'true');
    await expect(option).toHaveAccessibleDescription(/second person/);
    await option.click({ force: true }); // it stays focusable, and a click on it chooses nothing
    await expect(option).toHaveAttribute('aria-checked', 'false');
  }
  await expect(page.getByRole('region', { name: 'Evidence' })).toContainText('This tool has no lookup');
});

test('on-call sees the case and why no verdict is theirs to give', async ({ page }) => {
  const step = newStep('notify');
  const first = await product.deliver(
    'messages.send',
    { to: '+49 170 2', template: 'refund_done', text: 'Done.' },
    step,
    { fault: 'commit_then_drop' },
  );
  await signIn(page, 'Otto Lindqvist');
  await page.goto(casePath(first.operation_key));
  await expect(page.getByRole('radio', { name: 'It happened' })).toHaveAccessibleDescription(
    /operator of this tenant/,
  );
});
