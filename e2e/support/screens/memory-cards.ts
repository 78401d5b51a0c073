import type { Locator, Page } from '@playwright/test';

/** The button with three dots of a memory's card. */
export function cardMenu(page: Page, description: string): Locator {
  return page.getByRole('button', { name: `More actions for ${description}`, exact: true });
}

/** The button with the pencil. On touch screens it is in the menu. */
export function cardEdit(page: Page, description: string): Locator {
  return page.getByRole('button', { name: `Edit ${description}`, exact: true });
}

export async function editCard(page: Page, description: string): Promise<void> {
  if (await page.evaluate(() => matchMedia('(hover: none)').matches)) {
    await cardMenu(page, description).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
  } else {
    await cardEdit(page, description).click();
  }
}

export async function chooseAction(page: Page, name: 'Share' | 'Caricature' | 'Delete'): Promise<void> {
  await moreActions(page).click();
  await page.getByRole('menuitem', { name }).click();
}

/** The button with three dots of the open memory. */
export function moreActions(page: Page): Locator {
  return page.getByRole('dialog').getByRole('button', { name: 'More actions' });
}

export async function deleteCard(page: Page, description: string): Promise<void> {
  await cardMenu(page, description).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}
