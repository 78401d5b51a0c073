import { addMemories } from './albums.ts';
import { expect, phone, test } from './fixtures.ts';
import { expectShown, holdLists, memories, memory, view } from '../gallery.ts';
import { cardEdit, editCard } from '../memory-cards.ts';
import { recordPatches } from '../network.ts';
import { choosePhoto, smallPhoto } from '../photos.ts';
import { toast } from '../users.ts';

test.describe('on a phone', () => {
  test.use(phone);
  test('a memory can be loved and edited in the list', async ({ page, server }) => {
    addMemories(server, ['Snow', '']);
    const changes = recordPatches(page);
    await page.goto('/gallery?view=list');
    await expect(memory(page, 'Untitled Memory')).toBeVisible();
    const like = page.getByRole('button', { name: 'Love Snow' });
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await editCard(page, 'Snow');
    await page.getByLabel('Caption').fill('Deep snow');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page)).toContainText('Memory Updated');
    await page.keyboard.press('Escape');
    await expect(memory(page, 'Deep snow')).toBeVisible();
    await expect(cardEdit(page, 'Deep snow')).toBeFocused();
    expect(changes).toEqual([{ isLiked: true }, { caption: 'Deep snow' }]);
  });
});

test('closing while the first memory is created moves the focus to the heading', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/memories/complete-upload', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Add your first photo' }).click();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  const asked = page.waitForRequest('**/api/memories/complete-upload');
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await asked;
  await page.getByRole('button', { name: 'Close' }).click();
  release();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeFocused();
});

test('twelve placeholders are shown while the first page loads', async ({ page, server }) => {
  addMemories(server, ['Snow']);
  const release = await holdLists(page);
  await page.goto('/gallery');
  for (const name of ['Grid', 'List'] as const) {
    await view(page, name).check();
    await expect(memories(page).getByRole('status').first()).toHaveText('Loading...');
    await expect(memories(page).locator('.grid > div')).toHaveCount(12);
  }
  release();
  await expectShown(page, ['Snow']);
});
