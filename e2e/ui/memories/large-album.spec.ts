import type { Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { waitForResponseTo } from '../../support/apps/network.ts';
import { deleteCard } from '../../support/screens/memory-cards.ts';
import { addDays } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

const MAX_TILES = 60;

const COUNT = 10_000;
test('in a large album a memory is opened, deleted, brought back and restored', async ({ page, server }) => {
  addDays(server, COUNT);
  await page.goto('/gallery');
  const open = page.getByRole('button', { name: 'Open Day 1', exact: true });
  await open.click();
  await expect(page.getByRole('dialog', { name: 'Day 1' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Day 2' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectFewTiles(page);

  await deleteCard(page, 'Day 1');
  await expect(open).toBeHidden();
  const isBack = waitForResponseTo(page, 'POST');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(open).toBeVisible();
  await isBack;
  const isDeleted = waitForResponseTo(page, 'DELETE');
  await deleteCard(page, 'Day 1');
  await expect(open).toBeHidden();
  await isDeleted;

  await page.goto('/');
  await expect(page.getByText(`${COUNT - 1} memories captured`)).toBeVisible();
  await expectFewTiles(page);
  await page.goto('/gallery/deleted');
  const isRestored = waitForResponseTo(page, 'POST');
  await page.getByRole('button', { name: 'Restore Day 1' }).click();
  await expect(page.getByText('No deleted memories')).toBeVisible();
  await isRestored;

  await page.goto('/timeline');
  await expect(open).toBeVisible();
  await expectFewTiles(page);
  await page.goto('/');
  await expect(page.getByText(`${COUNT} memories captured`)).toBeVisible();
});

async function expectFewTiles(page: Page): Promise<void> {
  const tiles = page.getByRole('button', { name: /^Open Day/ });
  await expect(tiles.first()).toBeVisible();
  expect(await tiles.count()).toBeLessThanOrEqual(MAX_TILES);
}
