import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { addPastMemories, type PastMemory } from './long-history.ts';
import { cardMenu } from './memory-cards.ts';
import { signUpQuickly } from './people.ts';
import { smallPhoto } from './photos.ts';

const HOUR = 60 * 60 * 1000;
const NEXT_PAGES = '**/api/memories?*cursor=*';

test.beforeEach(async ({ page }) => {
  await signUpQuickly(page);
});

/** 'Day 1' was added an hour ago, 'Day 2' an hour before. */
async function addDays(page: Page, count: number): Promise<void> {
  const days = Array.from({ length: count }, (_, index): PastMemory => ({
    caption: `Day ${index + 1}`,
    createdAt: new Date(Date.now() - (index + 1) * HOUR).toISOString(),
  }));
  await addPastMemories(
    page,
    [await smallPhoto(), await smallPhoto(300, 400), await smallPhoto(400, 200)],
    days,
  );
}

/** A button of a memory's tile. */
function button(page: Page, action: 'Open' | 'Love', day: number): Locator {
  return page.getByRole('button', { name: `${action} Day ${day}`, exact: true });
}

/** The whole tile is in sight, and nothing covers it. */
async function expectFocusInSight(focused: Locator): Promise<void> {
  await expect(focused).toBeFocused();
  await expect(focused).toBeInViewport({ ratio: 1 });
  const isCovered = () =>
    focused.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const x = left + width / 2;
      return [top + 1, top + height - 1].some((y) => !element.contains(document.elementFromPoint(x, y)));
    });
  await expect.poll(isCovered).toBe(false);
}

test(
  'arrow keys lead through the gallery, over pages, under no bar, and the focus stays where it is',
  { tag: '@once' },
  async ({ page }) => {
    await addDays(page, 130);
    let letGo = () => {};
    const isHeld = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(NEXT_PAGES, async (route) => {
      await isHeld;
      await route.continue();
    });
    const { keyboard } = page;
    await page.goto('/gallery');
    await button(page, 'Open', 1).focus();
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowUp');
    await expect(button(page, 'Open', 1)).toBeFocused();
    await keyboard.press('ArrowRight');
    await expectFocusInSight(button(page, 'Open', 2));
    await keyboard.press('ArrowDown');
    await expectFocusInSight(button(page, 'Open', 6));
    await keyboard.press('Tab');
    await expect(button(page, 'Love', 6)).toBeFocused();
    for (const day of [10, 14, 18, 22]) {
      await keyboard.press('ArrowDown');
      await expectFocusInSight(button(page, 'Love', day));
    }
    for (const day of [18, 14, 10, 6]) {
      await keyboard.press('ArrowUp');
      await expectFocusInSight(button(page, 'Love', day));
    }

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(button(page, 'Open', 100)).toBeInViewport();
    await expect(button(page, 'Love', 6), 'nobody takes the focus away').toBeFocused();
    await keyboard.press('ArrowRight');
    await expectFocusInSight(button(page, 'Love', 7));

    await keyboard.press('End');
    await expectFocusInSight(button(page, 'Love', 100));
    letGo();
    await expect(button(page, 'Open', 101)).toBeAttached();
    await expectFocusInSight(button(page, 'Love', 100));
    await keyboard.press('ArrowRight');
    await expectFocusInSight(button(page, 'Love', 101));
    await keyboard.press('Home');
    await expectFocusInSight(button(page, 'Love', 1));

    await page.getByRole('radio', { name: 'List' }).check();
    await button(page, 'Love', 1).focus();
    for (let day = 2; day <= 12; day += 1) {
      await keyboard.press('ArrowDown');
      await expectFocusInSight(button(page, 'Love', day));
    }
    await keyboard.press('Tab');
    await expect(cardMenu(page, 'Day 12')).toBeFocused();
  },
);

test('so they do in the collection at home', async ({ page }) => {
  await addDays(page, 130);
  await page.goto('/');
  await button(page, 'Open', 1).focus();
  for (let day = 2; day <= 9; day += 1) {
    await page.keyboard.press('ArrowRight');
    await expectFocusInSight(button(page, 'Open', day));
  }
  await page.keyboard.press('End');
  await expect(button(page, 'Open', 101)).toBeAttached();
  await expectFocusInSight(button(page, 'Open', 100));
});
