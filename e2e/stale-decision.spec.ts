import { expect, test } from '@playwright/test';
import { newStep, openProduct, type Product } from './product.ts';
import { casePath, signIn } from './sign-in.ts';

let product: Product;
test.beforeAll(async () => {
  product = await openProduct();
});
test.afterAll(() => product.close());

test('[S25] two browsers on one case: one transition, and the second is told who changed what, with its text kept', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const { operation_key: key } = await product.deliver(
    'messages.send',
    { to: '+49 170 3', template: 'invoice_sent', text: 'Your invoice.' },
    newStep('notify'),
    { fault: 'commit_then_drop' },
  );
  const [first, second] = [await browser.newPage(), await browser.newPage()];
  await signIn(first, 'Ines Okafor');
  await signIn(second, 'Marek Brandt');
  for (const [page, receipt] of [
    [first, 'msg_of_ines'],
    [second, 'msg_of_marek'],
  ] as const) {
    await page.goto(casePath(key));
    await page.getByRole('radio', { name: 'It happened' }).click();
    await page.getByLabel('Receipt', { exact: true }).fill(receipt);
    await page.getByLabel('Reason').fill(`The carrier lists ${receipt}.`);
  }
  await first.getByRole('button', { name: /^Record:/ }).click();
  await product.until(key, ({ status }) => status === 'applied');

  await second.getByRole('button', { name: /^Record:/ }).click();
  const told = second.getByRole('alert').filter({ hasText: 'changed while you were writing' });
  await expect(told).toContainText('Ines Okafor');
  await expect(told).toContainText('Nothing of yours was recorded');
  await expect(second.getByText('The carrier lists msg_of_marek.')).toBeVisible();

  const row = await product.until(key, () => true);
  expect(row).toMatchObject({ status: 'applied', effect_reference: 'msg_of_ines', version: '3' });
  expect(await product.events(key, 'decide_applied')).toHaveLength(1);
});
