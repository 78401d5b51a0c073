import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { cardEdit, editCard } from './memory-cards.ts';
import { failOnce } from './network.ts';
import { registerUser, toast } from './users.ts';
import { createMemory, smallPhoto } from './photos.ts';

test.beforeEach(async ({ page }) => {
  await registerUser(page);
});

const longCaptions = {
  'of many words': 'The day at the lake, and all that came of it. '.repeat(33),
  'from right to left': 'היום היפה ביותר באגם, עם הכלב שלנו ועם כל המשפחה. '.repeat(30),
  'without a break': 'Donaudampfschifffahrt'.repeat(72),
};
for (const [kind, caption] of Object.entries(longCaptions)) {
  test(`a long caption ${kind} leaves the photo in sight, and can be read whole`, async ({ page }) => {
    await createMemory(page, await smallPhoto(), caption);
    await page.goto('/');
    const open = page.getByRole('button', { name: /^Open / });
    await expect(open).toHaveAccessibleName(/^Open .{20,95}…$/);
    await open.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveAccessibleName(/^.{20,95}…$/);
    await expect(dialog.getByRole('img')).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('button', { name: 'Read more' }).click();
    await expect(dialog.getByText(caption.trim(), { exact: true })).toBeVisible();
    expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await dialog.getByRole('button', { name: 'Show less' }).click();
    await expect(dialog.getByText(caption.trim(), { exact: true })).toBeHidden();
  });
}

for (const [width, height] of [
  [390, 664],
  [375, 667],
  [390, 844],
] as const) {
  test(
    `at ${width}x${height} a memory with a long caption opens at its top, with its photo and X in sight`,
    { tag: '@once' },
    async ({ page }) => {
      await page.setViewportSize({ width, height });
      const caption = longCaptions['of many words'];
      await createMemory(page, await smallPhoto(480, 640), caption, { tags: 'lake, summer, friends' });
      await page.goto('/');
      await page
        .getByRole('button', { name: /^Open / })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('img').first()).toBeInViewport({ ratio: 1 });
      await expect(dialog.getByRole('button', { name: 'Close' }).first()).toBeInViewport({ ratio: 1 });
      await expect(dialog).toBeFocused();
      const focusIsInside = () => dialog.evaluate((element) => element.contains(document.activeElement));
      await page.keyboard.press('Shift+Tab');
      expect(await focusIsInside()).toBe(true);
      await page.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toBeVisible();
    },
  );
}

test(
  'F8 goes from an open memory to a notice, and Escape comes back',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/memories/');
    await openMemory(page);
    const love = page.getByRole('dialog').getByRole('button', { name: 'Love', exact: true });
    await failOnce(page);
    await love.click();
    await expect(toast(page)).toBeVisible();
    await love.focus();
    await expectF8ToReachTheNotice(page);
    await page.keyboard.press('Escape');
    await expect(toast(page)).toBeHidden();
    await expect(love).toBeFocused();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
);

test(
  'F8 reaches a notice that was there before the memory was opened',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/memories/');
    await openMemory(page);
    await page.keyboard.press('Escape');
    await failOnce(page);
    await page.getByRole('button', { name: 'Love At the lake' }).click();
    await expect(toast(page)).toBeVisible();
    await page.getByRole('button', { name: 'Open At the lake' }).click();
    await expect(page.getByRole('dialog')).toBeFocused();
    await expectF8ToReachTheNotice(page);
    await page.keyboard.press('Escape');
    await expect(toast(page)).toBeHidden();
    await expect(page.getByRole('dialog')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  },
);

test(
  'from a notice the Tab key comes back into the open memory',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/memories/');
    await openMemory(page);
    await failOnce(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Love', exact: true }).click();
    await expect(toast(page)).toBeVisible();
    await expectF8ToReachTheNotice(page);
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(dialog.locator(':focus')).toBeVisible({ timeout: 100 });
    }).toPass();
    await expect(toast(page)).toBeVisible();
  },
);

test('after an edit the focus is on Edit Memory again', { tag: '@once' }, async ({ page }) => {
  await openMemory(page);
  const dialog = page.getByRole('dialog');
  const edit = dialog.getByRole('button', { name: 'Edit Memory' });
  await edit.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(edit).toBeFocused();
  await edit.click();
  await dialog.getByLabel('Caption').fill('By the sea');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeFocused();
});

test(
  'when an edit fails the focus is in the form again',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/memories/');
    await openMemory(page);
    await failOnce(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Edit Memory' }).click();
    await dialog.getByLabel('Caption').fill('By the sea');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page)).toContainText('Failed to update memory');
    await expect(dialog.getByLabel('Caption')).toBeFocused();
  },
);

test(
  'closing gives the focus back to what opened it, also where a click gives none',
  { tag: '@once' },
  async ({ page }) => {
    // As in Safari, where pressing a button with the mouse does not focus it.
    await page.addInitScript(() =>
      document.addEventListener('mousedown', (event) => event.preventDefault(), { capture: true }),
    );
    await openMemory(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Open At the lake' })).toBeFocused();
    await editCard(page, 'At the lake');
    await expect(page.getByLabel('Caption')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(cardEdit(page, 'At the lake')).toBeFocused();
  },
);

async function openMemory(page: Page): Promise<void> {
  await createMemory(page, await smallPhoto(), 'At the lake');
  await page.goto('/');
  await page.getByRole('button', { name: 'Open At the lake' }).click();
  await expect(page.getByRole('dialog', { name: 'At the lake' })).toBeVisible();
}

async function expectF8ToReachTheNotice(page: Page): Promise<void> {
  await page.keyboard.press('F8');
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('list')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toast(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toBeVisible();
}
