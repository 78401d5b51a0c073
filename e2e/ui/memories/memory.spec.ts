import type { Locator, Page } from '@playwright/test';
import { blockImages } from '../../support/apps/network.ts';
import { cardEdit } from '../../support/screens/memory-cards.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { addMemory } from '../albums.ts';
import { expect, letTimePass, phone, test } from '../fixtures.ts';

test.beforeEach(({ server }) => {
  addMemory(server, 'At the lake', { tags: ['summer', 'beach'] });
});

test.describe('a photo that fails to load', () => {
  const collection = (page: Page) => page.getByRole('group', { name: 'Your Memory Collection' });
  const placeholder = (page: Page) => collection(page).getByRole('img', { name: /Image not found$/ });
  const picture = (page: Page) => collection(page).getByRole('img', { name: 'At the lake', exact: true });
  const expectToCome = (image: Locator) =>
    expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  let objects: Awaited<ReturnType<typeof blockImages>>;

  test.beforeEach(async ({ page }) => {
    objects = await blockImages(page);
    await page.goto('/');
    // As the photo of the day, in the collection and on the timeline.
    await expect(page.getByRole('img', { name: /Image not found$/ })).toHaveCount(3);
  });

  test('shows a placeholder, and is retried once per occasion', async ({ page, context }) => {
    const atFirst = objects.asked.length;
    await context.setOffline(true);
    await context.setOffline(false);
    // Each picture once more. At first, the script for the first tiles had requested one of them, too.
    await expect.poll(() => objects.asked.length).toBe(atFirst + 3);
    await expect(page.getByRole('img', { name: /Image not found$/ })).toHaveCount(3);
    await page.getByRole('button', { name: 'Add Mems' }).click();
    await expect(page.getByLabel('Caption')).toBeFocused();
    expect(objects.asked).toHaveLength(atFirst + 3);
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

test.describe('on a phone', () => {
  test.use({ ...phone, viewport: { width: 390, height: 600 } });
  test("elements beside 'Add Mems' can be tapped", async ({ page }) => {
    await page.goto('/');
    const addMems = await page.getByRole('button', { name: 'Add Mems' }).boundingBox();
    const love = page.getByRole('button', { name: 'Love At the lake' });
    const justAbove = (addMems?.y ?? 0) - 12;
    await love.evaluate((element, y) => {
      const { top, height } = element.getBoundingClientRect();
      window.scrollBy(0, top + height / 2 - y);
    }, justAbove);
    const box = await love.boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) / 2, justAbove);
    await expect(love).toHaveAttribute('aria-pressed', 'true');
  });
});

test('a memory can be added, edited and loved with the keyboard only', async ({ page }) => {
  await letTimePass(page);
  const { keyboard } = page;
  await page.goto('/');
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
