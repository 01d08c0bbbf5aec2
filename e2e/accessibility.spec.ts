import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { casePath, signIn } from './sign-in.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen, ${colorScheme}, also at 320 px`, async ({ browser }) => {
    test.setTimeout(180_000);
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const found: string[] = [];
    const check = async (name: string) => {
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
          .analyze();
        found.push(
          ...violations.map(({ id, nodes }) => `${name} ${width}: ${id} ${nodes[0]?.target.join(' ')}`),
        );
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (overflow > 0) found.push(`${name} ${width}: scrolls sideways by ${overflow} px`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await check('sign-in');
    await signIn(page, 'Ines Okafor');
    const row = page.locator('a[data-row]').first();
    await expect(row).toBeVisible({ timeout: 120_000 });
    await check('queue');
    await row.click();
    await expect(page.getByRole('heading', { name: 'Verdict' })).toBeVisible();
    await check('case');
    const key = decodeURIComponent(page.url().split('/').at(-1) ?? '');
    await page.goto(casePath(key).replace('/queue/', '/operations/'));
    await expect(page.getByRole('table').first()).toBeVisible();
    await check('trace');
    for (const [path, name] of [
      ['operations', 'Operations'],
      ['audit', 'Audit'],
    ] as const) {
      await page.goto(`/acme/production/${path}`);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await check(path);
    }
    await page.goto('/acme/production/nothing-here');
    await check('not found');
    expect(found).toEqual([]);
    await context.close();
  });
}
