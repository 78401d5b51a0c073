import type { Locator, Page } from '@playwright/test';

/** The button with three dots of a memory's card. */
export function cardMenu(page: Page, description: string): Locator {
  return page.getByRole('button', { name: `Edit or delete ${description}`, exact: true });
}

export async function editCard(page: Page, description: string): Promise<void> {
  await cardMenu(page, description).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
}

export async function deleteCard(page: Page, description: string): Promise<void> {
  await cardMenu(page, description).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}
