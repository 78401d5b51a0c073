import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addMemories, expectShown } from '../../support/screens/gallery.ts';
import { addPastMemories } from '../../support/past-memories.ts';
import { cardMenu, chooseAction, deleteCard } from '../../support/screens/memory-cards.ts';
import { openMenu, signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { smallPhoto } from '../../support/screens/photos.ts';

test.beforeEach(async ({ page }) => {
  await signInAsNewUser(page);
});

/** In the trash. */
function deletedTile(page: Page, caption: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(caption, { exact: true }) });
}

function undo(page: Page): Locator {
  return toast(page).getByRole('button', { name: 'Undo' });
}

async function deleteOpen(page: Page): Promise<void> {
  await chooseAction(page, 'Delete');
  await expect(page.getByRole('dialog')).toBeHidden();
}

test(
  'a deleted memory disappears at once, and can be undone, restored or deleted for good',
  { tag: '@phone' },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await addMemories(page, ['Snow', 'Lake', 'Sofa', 'Beach']);
    await page.goto('/gallery');
    await cardMenu(page, 'Lake').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectShown(page, ['Beach', 'Sofa', 'Snow']);
    await expect(toast(page)).toContainText('Memory deleted');
    await expect(cardMenu(page, 'Snow')).toBeFocused();
    await page.getByRole('button', { name: 'Open Sofa' }).click();
    await deleteOpen(page);
    await expectShown(page, ['Beach', 'Snow']);
    await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
    await expect(toast(page)).toContainText('2 memories deleted');
    await expectNoViolations(page);
    await undo(page).click();
    await expectShown(page, ['Beach', 'Sofa', 'Lake', 'Snow']);
    await expect(toast(page)).toContainText('2 memories restored');
    await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();

    for (const caption of ['Snow', 'Lake', 'Beach']) await deleteCard(page, caption);
    await expectShown(page, ['Sofa']);
    await expect(cardMenu(page, 'Sofa')).toBeFocused();
    await page.getByRole('link', { name: 'Recently deleted' }).click();
    await expect(page).toHaveURL('/gallery/deleted');
    await expect(page).toHaveTitle('Recently deleted · Mems Are Forever');
    await expect(deletedTile(page, 'Lake')).toContainText('Gone in 30 days');
    await page.reload();
    await page.getByRole('button', { name: 'Restore Lake' }).click();
    await expect(toast(page)).toContainText('Memory restored');
    await expect(deletedTile(page, 'Lake')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Restore Snow' })).toBeFocused();

    await page.getByRole('button', { name: 'Delete Snow for good' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this memory for good?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Delete Snow for good' })).toBeFocused();
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await expect(question).toBeHidden();
    await expect(deletedTile(page, 'Snow')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete Beach for good' })).toBeFocused();
    await page.getByRole('button', { name: 'Restore Beach' }).click();
    await expect(page.getByRole('heading', { name: 'No deleted memories' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Recently deleted' })).toBeFocused();
    await page.goBack();
    await expectShown(page, ['Beach', 'Sofa', 'Lake']);
  },
);

test(
  'a deleted memory is hidden everywhere, and restored everywhere',
  { tag: '@quick' },
  async ({ page }) => {
    await page.clock.setFixedTime('2026-03-15T12:00:00Z');
    await addPastMemories(
      page,
      [await smallPhoto()],
      [
        { caption: 'Snow', createdAt: '2026-02-10T12:00:00Z' },
        { caption: 'Lake', createdAt: '2026-01-20T12:00:00Z' },
        { caption: 'Sofa', createdAt: '2025-12-01T12:00:00Z' },
      ],
    );
    await page.goto('/');
    await expect(page.getByText('3 memories captured')).toBeVisible();
    await deleteCard(page, 'Lake');
    await expect(page.getByText('2 memories captured')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your Mems Timeline' })).not.toContainText('Lake');
    await expect(cardMenu(page, 'Sofa')).toBeFocused();

    await openMenu(page);
    await page.getByRole('link', { name: 'Timeline' }).click();
    const months = page.getByRole('heading', { level: 2 });
    await expect(months).toHaveText(['February 2026', 'December 2025']);
    await expect(undo(page)).toHaveCount(0);
    // Entries below a removed month stay in view, even before the next pages arrive.
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/memories?*cursor=*', (route) => released.then(() => route.continue()));
    await page.getByRole('button', { name: 'Open Snow' }).click();
    await deleteOpen(page);
    await expect(months).toHaveText(['December 2025']);
    await expect(page.getByRole('button', { name: 'Open Sofa' })).toBeFocused();
    release();
    await undo(page).click();
    await expect(months).toHaveText(['February 2026', 'December 2025']);
    await expect(page.getByRole('listitem').filter({ hasText: 'Snow' })).toBeVisible();

    await openMenu(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByText('2 memories captured')).toBeVisible();
  },
);
