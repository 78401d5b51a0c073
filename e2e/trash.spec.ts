import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { now } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { addPastMemories } from './past-memories.ts';
import { cardMenu, chooseAction, deleteCard } from './memory-cards.ts';
import { waitForResponseTo, failOnce, blockEvents } from './network.ts';
import { openMenu, registerUser, toast } from './users.ts';
import { createMemory, smallPhoto } from './photos.ts';

const TRASH = '**/api/memories/deleted?*';
const RESTORES = '**/api/memories/*/restore';
const HOUR = 60 * 60 * 1000;

test.beforeEach(async ({ page }) => {
  await registerUser(page);
});

async function addMemories(page: Page, captions: string[]): Promise<void> {
  for (const caption of captions) await createMemory(page, await smallPhoto(), caption);
}

/** Expects these captions in the gallery in this order. */
async function expectShown(page: Page, captions: string[]): Promise<void> {
  const tiles = page.getByRole('region', { name: 'Memories' }).getByRole('listitem');
  await expect(tiles).toHaveCount(captions.length);
  await expect(tiles).toContainText(captions);
}

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
    await expectNoViolations(page);
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
    await expect(deletedTile(page, 'Lake')).toContainText('Deleted for good in 30 days');
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

test('failed deletions and restores show errors and lose nothing', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/memories/');
  await addMemories(page, ['Snow', 'Lake', 'Sofa']);
  await blockEvents(page);
  await page.goto('/gallery');
  await failOnce(page, 'DELETE');
  await deleteCard(page, 'Lake');
  await expect(toast(page)).toContainText('Failed to delete memory');
  await expectShown(page, ['Sofa', 'Lake', 'Snow']);

  await deleteCard(page, 'Lake');
  await page.route(RESTORES, (route) => route.abort(), { times: 1 });
  await undo(page).click();
  await expect(toast(page)).toContainText('Failed to restore memory');
  await expectShown(page, ['Sofa', 'Snow']);

  const [{ id: lake }] = (await (await page.request.get('/api/memories/deleted')).json()) as [{ id: string }];
  const [{ id: sofa }] = (await (await page.request.get('/api/memories')).json()) as [{ id: string }];
  const isDeleted = waitForResponseTo(page, 'DELETE');
  await deleteCard(page, 'Snow');
  await expect(undo(page)).toBeVisible();
  await isDeleted;
  // Another tab deletes both for good first: one before it is deleted here, one before it is restored.
  const gone = await page.request.get('/api/memories/deleted');
  for (const each of (await gone.json()) as { id: string }[])
    if (each.id !== lake) await page.request.delete(`/api/memories/deleted/${each.id}`);
  await page.request.delete(`/api/memories/${sofa}`);
  await page.request.delete(`/api/memories/deleted/${sofa}`);
  await deleteCard(page, 'Sofa');
  await expect(toast(page)).toContainText('2 memories deleted');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
  await undo(page).click();
  await expect(toast(page)).toContainText('Too late to restore2 memories were deleted for good.');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
});

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
    await expect(months).toHaveText(['February 2026', 'January 2026', 'December 2025']);
    await expect(page.getByRole('listitem').filter({ hasText: 'Lake' })).toBeVisible();

    await openMenu(page);
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByText('3 memories captured')).toBeVisible();
  },
);

test('a full trash loads page by page with few mounted tiles', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/memories/deleted');
  // The server's clock deletes after 30 days.
  const time = now().getTime();
  await page.clock.setFixedTime(time);
  const deleted = Array.from({ length: 260 }, (_, index) => ({
    caption: `Day ${index + 1}`,
    createdAt: new Date(time - 1000 * HOUR).toISOString(),
    deletedAt: new Date(time - index * 2 * HOUR).toISOString(),
  }));
  await addPastMemories(page, [await smallPhoto(), await smallPhoto(300, 400)], deleted);
  await page.route(TRASH, (route) => route.abort(), { times: 1 });
  await page.goto('/gallery/deleted');
  await expect(page.getByRole('alert')).toContainText('Your deleted memories could not be loaded.');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(deletedTile(page, 'Day 1')).toContainText('Deleted for good in 30 days');
  await expect(deletedTile(page, 'Day 13')).toContainText('Deleted for good in 29 days');
  await expectNoViolations(page);
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(deletedTile(page, 'Day 260')).toBeVisible({ timeout: 250 });
  }).toPass();
  await expect(deletedTile(page, 'Day 253')).toContainText('Deleted for good in 9 days');
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  const keptIndex = () =>
    page.evaluate(() => (history.state as { place?: { index: number } } | null)?.place?.index);
  await expect.poll(keptIndex).toBeGreaterThan(220);
  await page.reload();
  await expect(deletedTile(page, 'Day 260')).toBeVisible();
  await page.getByRole('button', { name: 'Restore Day 259' }).click();
  await expect(deletedTile(page, 'Day 259')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Restore Day 260' })).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(deletedTile(page, 'Day 260')).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
