import type { Page } from '@playwright/test';
import { expect, phone, test } from '../fixtures.ts';
import { addMemories, addMemory, addPet } from '../albums.ts';
import { deleteCard } from '../../support/screens/memory-cards.ts';

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

/** Expects a target 44 px high around the first tag, wider than its letters, and no space before the separator. */
async function expectHit(page: Page): Promise<void> {
  const tag = page.getByRole('link', { name: 'sea' });
  await tag.scrollIntoViewIfNeeded();
  const missed = await tag.evaluate((link) => {
    const range = document.createRange();
    range.selectNodeContents(link);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    range.selectNode(link.nextSibling!);
    const corners = [-21, 21].flatMap((dy) => [left - 7, x, right - 4].map((x) => [x, y + dy] as const));
    return {
      space: Math.round(range.getBoundingClientRect().left - right),
      corners: corners.filter(([x, y]) => document.elementFromPoint(x, y) !== link),
    };
  });
  expect(missed).toEqual({ space: 0, corners: [] });
}

test('the menu does not leave the dialog', async ({ page, server }) => {
  addMemory(server, 'Lake');
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Open Lake' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'More actions' }).click();
  const [menu, box] = [(await page.getByRole('menu').boundingBox())!, (await dialog.boundingBox())!];
  expect(menu.x + menu.width).toBeLessThan(box.x + box.width);
});

test.describe('on a phone', () => {
  test.use(phone);
  test('a finger can hit a short tag, which takes no more room than its letters', async ({
    page,
    server,
  }) => {
    const rex = addPet(server);
    addMemory(server, 'Lake', { petId: rex.id, tags: ['sea', 'x'] });
    await page.goto('/');
    await expectHit(page);
    await page.goto('/gallery');
    await page.getByRole('button', { name: 'Open Lake' }).click();
    await expectHit(page);
  });
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('a photo grows from its card into the dialog, and back into the card of the last open memory', async ({
    page,
    server,
  }) => {
    addMemories(server, ['Snow', 'Lake']);
    await recordTransitions(page);
    await page.goto('/gallery');
    await page.getByRole('button', { name: 'Open Lake' }).focus();
    // The second key comes before the next frame.
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('dialog', { name: 'Snow' })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeFocused();
    await expect.poll(() => page.evaluate(namedPhotos)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Open Snow' })).toBeFocused();
    await expect.poll(() => page.evaluate(namedPhotos)).toEqual([]);
    expect(await page.evaluate(() => (window as unknown as Recorded).transitions)).toEqual([
      ['Lake in the list', 'Lake in the dialog'],
      ['Snow in the dialog', 'Snow in the list'],
    ]);
  });

  test('the cards after a deleted one move to their new places', async ({ page, server }) => {
    addMemories(server, ['Snow', 'Lake', 'Sofa']);
    await recordAnimations(page);
    await page.goto('/gallery');
    await deleteCard(page, 'Lake');
    const animated = () => page.evaluate(() => (window as unknown as Recorded).animatedTiles);
    await expect.poll(animated).toEqual(['Snow']);
  });
});

interface Recorded {
  animatedTiles: string[];
  transitions: string[][];
  namedPhotos: () => string[];
}

/** Which photos have the name of the transition, before and after it changes the page. */
async function recordTransitions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded = window as unknown as Recorded;
    recorded.transitions = [];
    recorded.namedPhotos = () =>
      [...document.querySelectorAll('[style*="view-transition-name"]')].map((photo) => {
        const caption = photo.querySelector('img')?.alt ?? '';
        return `${caption} in the ${photo.closest('[role="dialog"]') ? 'dialog' : 'list'}`;
      });
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const before = recorded.namedPhotos();
      return start(() => {
        void (update as () => void)();
        recorded.transitions.push([...before, ...recorded.namedPhotos()]);
      });
    };
  });
}

/** Which tiles of a list a script moves. */
async function recordAnimations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded = window as unknown as Recorded;
    recorded.animatedTiles = [];
    const animate = Reflect.get<Element, 'animate'>(Element.prototype, 'animate');
    Element.prototype.animate = function (...args) {
      if (this.matches('[aria-posinset]')) recorded.animatedTiles.push(this.querySelector('img')?.alt ?? '');
      return animate.apply(this, args);
    };
  });
}

const namedPhotos = () => (window as unknown as Recorded).namedPhotos();
