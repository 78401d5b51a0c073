import { expect, test } from './fixtures.ts';
import { addMemory } from './albums.ts';

const longCaptions = {
  'of many words': 'The day at the lake, and all that came of it. '.repeat(33),
  'from right to left': 'היום היפה ביותר באגם, עם הכלב שלנו ועם כל המשפחה. '.repeat(30),
  'without a break': 'Donaudampfschifffahrt'.repeat(72),
};
for (const kind of ['from right to left', 'without a break'] as const) {
  test(`a long caption ${kind} keeps the photo in view, and can be expanded`, async ({ page, server }) => {
    const caption = longCaptions[kind];
    addMemory(server, caption);
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

test('on small phones a memory with a long caption opens at its top, with its photo and X in sight', async ({
  page,
  server,
}) => {
  addMemory(server, longCaptions['of many words'], { tags: ['lake', 'summer', 'friends'] });
  for (const [width, height] of [
    [390, 664],
    [375, 667],
  ] as const) {
    await page.setViewportSize({ width, height });
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
  }
});
