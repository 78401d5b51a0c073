import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { cardEdit } from './memory-cards.ts';
import { blockImages, recordPatches } from './network.ts';
import { registerUser } from './users.ts';
import { createMemory, smallPhoto } from './photos.ts';

test.beforeEach(async ({ page }) => {
  await registerUser(page);
  await createMemory(page, await smallPhoto(), 'At the lake', {
    tags: 'summer, beach',
    memoryDate: '2024-03-01T17:30',
  });
  await page.goto('/');
});

test('a memory opens in a dialog with its details', { tag: ['@phone', '@quick'] }, async ({ page }) => {
  const open = page.getByRole('button', { name: 'Open At the lake' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'At the lake' });
  await expect(dialog.getByRole('img', { name: 'At the lake' })).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'The Story' })).toBeVisible();
  await expect(dialog.getByText('summer • beach')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'When' })).toBeVisible();
  await expect(dialog.getByText('March 1, 2024 at 5:30 PM')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();
});

test('a like is applied optimistically on the card and in the dialog', async ({ page }) => {
  const changes = recordPatches(page);
  const like = page.getByRole('button', { name: 'Love At the lake' });
  const box = await like.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Loved' }).click();
  await expect(dialog.getByRole('button', { name: 'Love', exact: true })).toBeVisible();
  // In sequence.
  await expect.poll(() => changes).toEqual([{ isLiked: true }, { isLiked: false }]);
});

test.describe('a photo that fails to load', () => {
  const collection = (page: Page) => page.getByRole('group', { name: 'Your Memory Collection' });
  const placeholder = (page: Page) => collection(page).getByText('Image not found');
  const picture = (page: Page) => collection(page).getByRole('img', { name: 'At the lake', exact: true });
  const expectToCome = (image: Locator) =>
    expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  let objects: Awaited<ReturnType<typeof blockImages>>;

  test.beforeEach(async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/objects/');
    objects = await blockImages(page);
    await page.reload();
    // In the collection and on the timeline.
    await expect(page.getByText('Image not found')).toHaveCount(2);
  });

  test('shows a placeholder, and is retried once per occasion', async ({ page, context }) => {
    const atFirst = objects.asked.length;
    await context.setOffline(true);
    await context.setOffline(false);
    // Both pictures once more. At first, the script for the first tiles had requested one of them, too.
    await expect.poll(() => objects.asked.length).toBe(atFirst + 2);
    await expect(page.getByText('Image not found')).toHaveCount(2);
    await page.getByRole('button', { name: 'Add Mems' }).click();
    await expect(page.getByLabel('Caption')).toBeFocused();
    expect(objects.asked).toHaveLength(atFirst + 2);
  });

  test('loads when the network is back', async ({ page, context }) => {
    await context.setOffline(true);
    objects.recover();
    await context.setOffline(false);
    await expectToCome(picture(page));
    await expect(placeholder(page)).toBeHidden();
  });

  test('loads when it scrolls into view again', async ({ page }) => {
    objects.recover();
    await page.setViewportSize({ width: 390, height: 400 });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(placeholder(page)).not.toBeInViewport();
    await collection(page).scrollIntoViewIfNeeded();
    await expectToCome(picture(page));
  });

  test('loads after it has loaded in the dialog', async ({ page }) => {
    objects.recover();
    await page.getByRole('button', { name: 'Open At the lake' }).click();
    await expectToCome(page.getByRole('dialog').getByRole('img', { name: 'At the lake', exact: true }));
    await page.keyboard.press('Escape');
    await expectToCome(picture(page));
  });
});

test("elements beside 'Add Mems' can be tapped on a phone", { tag: '@phone' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  const addMems = await page.getByRole('button', { name: 'Add Mems' }).boundingBox();
  const love = page.getByRole('button', { name: 'Love At the lake' });
  const justAbove = (addMems?.y ?? 0) - 12;
  await love.evaluate((element, y) => {
    const { top, height } = element.getBoundingClientRect();
    window.scrollBy(0, top + height / 2 - y);
  }, justAbove);
  const box = await love.boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, justAbove);
  await expect(love).toHaveAttribute('aria-pressed', 'true');
});

test('a memory can be added, edited and loved with the keyboard only', async ({ page }) => {
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Add Mems' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Caption')).toBeFocused();
  await keyboard.type('By keyboard');
  const submit = page.getByRole('button', { name: 'Upload Memory' });
  await tabTo(page, submit);
  await keyboard.press('Enter');
  const choose = page.getByRole('button', { name: 'Choose a photo' });
  await expect(choose).toBeVisible();
  const photo = await smallPhoto();
  await expect(async () => {
    // Uppy moves the focus shortly after it has appeared.
    await tabTo(page, choose);
    const chooser = page.waitForEvent('filechooser', { timeout: 2000 });
    await keyboard.press('Enter');
    await (await chooser).setFiles(photo);
  }).toPass();
  await tabTo(page, page.getByRole('button', { name: 'Upload photo' }));
  await keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Done' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add Mems' })).toBeFocused();
  await tabTo(page, cardEdit(page, 'By keyboard'));
  await keyboard.press('Enter');
  await expect(page.getByLabel('Caption')).toBeFocused();
  await keyboard.press('End');
  await keyboard.type(' alone');
  await tabTo(page, page.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'By keyboard alone' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Love', exact: true }));
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Loved' })).toBeVisible();
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Close' }).first());
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(cardEdit(page, 'By keyboard alone')).toBeFocused();
});

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}
