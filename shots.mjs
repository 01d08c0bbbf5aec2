import { chromium } from 'playwright';
const base = process.argv[2] ?? 'http://localhost:4310'; const out = process.argv[3] ?? '/tmp/shots'; const who = process.argv[4] ?? 'Ines Okafor';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', chromiumSandbox: false, args: ['--disable-background-networking', '--disable-dev-shm-usage'] });
for (const scheme of ['light', 'dark']) {
  const ctx = await b.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: scheme, deviceScaleFactor: 1 });
  const page = await ctx.newPage();
  page.on('console', (m) => { if (m.type() === 'error') console.log('console', m.text().slice(0, 200)); });
  page.on('pageerror', (e) => console.log('pageerror', e.message.slice(0, 300)));
  await page.goto(base + '/'); await page.screenshot({ path: `${out}/signin-${scheme}.png` });
  await page.getByRole('button', { name: 'Continue to sign in' }).click();
  await page.getByRole('button', { name: who, exact: true }).waitFor();
  await page.screenshot({ path: `${out}/persona-${scheme}.png` });
  await page.getByRole('button', { name: who, exact: true }).click();
  await page.waitForURL(/queue/); await page.waitForTimeout(1500);
  await page.screenshot({ path: `${out}/queue-${scheme}.png` });
  const row = page.locator('a[data-row]').filter({ hasText: 'payments.charge' }).filter({ hasText: 'pay_' }).first();
  if (await row.count()) {
    await row.click(); await page.waitForTimeout(2500);
    if (scheme === 'light') { await page.keyboard.press('l'); await page.waitForTimeout(2500); }
    await page.keyboard.press('1'); await page.waitForTimeout(500);
    await page.getByLabel('Reason').fill('Deskline shows this charge; amount, currency and invoice match.');
    await page.screenshot({ path: `${out}/case-${scheme}.png` });
    const url = page.url();
    await page.goto(url.replace('/queue/', '/operations/')); await page.waitForTimeout(1200);
    await page.screenshot({ path: `${out}/trace-${scheme}.png` });
  }
  for (const p of ['operations', 'audit']) { await page.goto(`${base}/acme/production/${p}`); await page.waitForTimeout(1000); await page.screenshot({ path: `${out}/${p}-${scheme}.png` }); }
  await ctx.close();
}
await b.close();
