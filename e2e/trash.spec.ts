import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { cardMenu, deleteCard } from './memory-cards.ts';
import { signUpQuickly, toast } from './people.ts';
import { addMemoryQuickly, smallPhoto } from './photos.ts';

async function addMemories(page: Page, captions: string[]): Promise<void> {
  for (const caption of captions) await addMemoryQuickly(page, await smallPhoto(), caption);
}

function tiles(page: Page): Locator {
  return page.getByRole('region', { name: 'Memories' }).getByRole('listitem');
}

function undo(page: Page): Locator {
  return toast(page).getByRole('button', { name: 'Undo' });
}

test('what is deleted is gone at once, and one Undo brings back all that went together', async ({ page }) => {
  await signUpQuickly(page);
  await addMemories(page, ['Snow', 'Lake', 'Sofa', 'Beach']);
  await page.goto('/gallery');
  await expect(tiles(page)).toHaveCount(4);
  await deleteCard(page, 'Lake');
  await expect(tiles(page)).toContainText(['Beach', 'Sofa', 'Snow']);
  await expect(toast(page)).toContainText('Memory deleted');
  await expect(cardMenu(page, 'Snow')).toBeFocused();
  await page.getByRole('button', { name: 'Open Sofa' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(tiles(page)).toContainText(['Beach', 'Snow']);
  await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
  await expect(toast(page)).toContainText('2 memories deleted');
  await undo(page).click();
  await expect(tiles(page)).toContainText(['Beach', 'Sofa', 'Lake', 'Snow']);
  await expect(toast(page)).toContainText('2 memories restored');
  await expect(tiles(page).locator(':focus')).toBeVisible();
});
