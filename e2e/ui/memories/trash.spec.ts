import type { Locator, Page } from '@playwright/test';
import { deleteCard } from '../../support/screens/memory-cards.ts';
import { failOnce, waitForResponseTo } from '../../support/apps/network.ts';
import { expectShown } from '../../support/screens/gallery.ts';
import { toast } from '../../support/accounts/users.ts';
import { addMemories, addMemory } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

const TRASH = '**/api/memories/deleted?*';
const RESTORES = '**/api/memories/*/restore';
const HOUR = 60 * 60 * 1000;

/** In the trash. */
function deletedTile(page: Page, caption: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(caption, { exact: true }) });
}

function undo(page: Page): Locator {
  return toast(page).getByRole('button', { name: 'Undo' });
}

test('failed deletions and restores show errors and lose nothing', async ({ page, server }) => {
  const [, , sofa] = addMemories(server, ['Snow', 'Lake', 'Sofa']);
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

  const isDeleted = waitForResponseTo(page, 'DELETE');
  await deleteCard(page, 'Snow');
  await expect(undo(page)).toBeVisible();
  await isDeleted;
  // Another tab deletes both for good first: one before it is deleted here, one before it is restored.
  server.state.album.deleted = server.state.album.deleted.filter(({ caption }) => caption === 'Lake');
  server.state.album.delete(sofa!.id);
  server.state.album.deleteForGood(sofa!.id);
  await deleteCard(page, 'Sofa');
  await expect(toast(page)).toContainText('2 memories deleted');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
  await undo(page).click();
  await expect(toast(page)).toContainText('Too late to restore2 memories were deleted for good.');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
});

test('a full trash loads page by page with few mounted tiles', async ({ page, server }) => {
  const time = Date.parse(server.state.now);
  server.state.album.deleted = Array.from({ length: 260 }, (_, index) => ({
    ...addMemory(server, `Day ${index + 1}`),
    deletedAt: new Date(time - index * 2 * HOUR).toISOString(),
  }));
  server.state.album.memories = [];
  await page.route(TRASH, (route) => route.abort(), { times: 1 });
  await page.goto('/gallery/deleted');
  await expect(page.getByRole('alert')).toContainText('Your deleted memories could not be loaded.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(deletedTile(page, 'Day 1')).toContainText('Gone in 30 days');
  await expect(deletedTile(page, 'Day 13')).toContainText('Gone in 29 days');
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(deletedTile(page, 'Day 260')).toBeVisible({ timeout: 250 });
  }).toPass();
  await expect(deletedTile(page, 'Day 253')).toContainText('Gone in 9 days');
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  const savedIndex = () =>
    page.evaluate(
      () => (history.state as { scrollPosition?: { index: number } } | null)?.scrollPosition?.index,
    );
  await expect.poll(savedIndex).toBeGreaterThan(220);
  await page.reload();
  await expect(deletedTile(page, 'Day 260')).toBeVisible();
  await page.getByRole('button', { name: 'Restore Day 259' }).click();
  await expect(deletedTile(page, 'Day 259')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Restore Day 260' })).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(deletedTile(page, 'Day 260')).toBeAttached();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
