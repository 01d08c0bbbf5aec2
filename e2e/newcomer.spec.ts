import { expect, test } from '@playwright/test';
import { openProduct, type Product } from './product.ts';
import { signIn } from './sign-in.ts';

let product: Product;
test.beforeAll(async () => {
  product = await openProduct();
});
test.afterAll(() => product.close());

test('a newcomer opens the oldest unknown charge, looks it up, records that it happened, and the agent gets the receipt', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await signIn(page, 'Ines Okafor');

  // the workload's own charge: its answer was lost, and nothing that a machine may believe settled it
  const oldest = page
    .locator('a[data-row]')
    .filter({ hasText: 'payments.charge' })
    .filter({ hasText: 'unknown' })
    .first();
  await expect(oldest).toBeVisible({ timeout: 150_000 });
  await oldest.click();
  await expect(page.getByRole('heading', { level: 1, name: 'payments.charge' })).toBeVisible();
  const key = decodeURIComponent(page.url().split('/').at(-1) ?? '');

  const evidence = page.getByRole('region', { name: 'Evidence' });
  await page.keyboard.press('l');
  await expect(evidence.getByText('asked by Ines Okafor')).toBeVisible({ timeout: 30_000 });
  await expect(evidence.getByText(/Found/).first()).toBeVisible();

  await page.keyboard.press('1');
  const receipt = page.getByLabel('Receipt', { exact: true });
  await expect(receipt).toHaveValue(/^pay_\d+$/);
  const reference = await receipt.inputValue();
  await page.getByLabel('Reason').fill('Deskline shows this charge; amount, currency and invoice match.');
  await expect(page.getByRole('region', { name: 'The agent’s next call gets' })).toContainText('"replayed"');
  await page.keyboard.press('Control+Enter');
  const row = await product.until(key, ({ status }) => status === 'applied');
  expect(row).toMatchObject({ effect_reference: reference });
  await expect(page.getByText('Recorded:')).toBeVisible();

  // the workload delivers the same step again by itself
  await expect
    .poll(async () => (await product.events(key, 'replayed')).length, { timeout: 120_000 })
    .toBeGreaterThan(0);
  expect(
    (await product.deskline.effectsFor(key))
      .filter((effect) => effect.kind === 'record')
      .map((effect) => effect.reference),
  ).toEqual([reference]);

  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page).toHaveURL(/\/audit/);
  const entry = page.getByRole('listitem').filter({ hasText: reference }).first();
  await expect(entry).toContainText('Ines Okafor');
});
