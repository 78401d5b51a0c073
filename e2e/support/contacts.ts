import type { Page } from '@playwright/test';

export async function addContact(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Save Contact' }).click();
}

export const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
export const switchOf = (page: Page, name: string) =>
  page.getByRole('switch', { name: `Send new photos to ${name}` });
