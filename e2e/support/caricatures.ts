import { expect, type Locator, type Page } from '@playwright/test';

export async function openCaricatures(page: Page): Promise<void> {
  await page.goto('/gallery');
  await page.getByRole('tab', { name: 'Caricatures' }).click();
  await expect(page.getByRole('heading', { name: 'Pet Caricatures' })).toBeVisible();
}

export function createButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Create Caricature' });
}

export function card(page: Page, name: string): Locator {
  return page.getByRole('article', { name });
}
