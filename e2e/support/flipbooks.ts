import type { Locator, Page } from '@playwright/test';

export function picker(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Create Memory Flipbook' });
}

export function book(page: Page): Locator {
  return page.getByRole('group', { name: 'Memory Flipbook' });
}

/** The counter below the book. */
export function counter(page: Page, text: string): Locator {
  return page.getByRole('navigation', { name: 'Pages' }).getByText(text, { exact: true });
}

export async function openPicker(page: Page): Promise<void> {
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Create Flipbook' }).click();
}
