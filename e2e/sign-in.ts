import { expect, type Page } from '@playwright/test';

/** Signs a persona in through the provider, as a person does. */
export async function signIn(page: Page, persona: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Continue to sign in' }).click();
  await page.getByRole('button', { name: persona, exact: true }).click();
  await expect(page).toHaveURL(/\/acme\/production\/queue/);
}

/** The case page of one operation. */
export const casePath = (key: string) => `/acme/production/queue/${encodeURIComponent(key)}`;
