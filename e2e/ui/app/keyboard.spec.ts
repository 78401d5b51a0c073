import type { Locator, Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { cardMenu } from '../../support/screens/memory-cards.ts';
import { addDays, addMemories } from '../albums.ts';
import { expect, phone, test } from '../fixtures.ts';

const HOUR = 60 * 60 * 1000;
const NEXT_PAGES = '**/api/memories?*cursor=*';

const shapes: [number, number][] = [
  [640, 480],
  [300, 400],
  [400, 200],
];

function button(page: Page, action: 'Open' | 'Love', day: number): Locator {
  return page.getByRole('button', { name: `${action} Day ${day}`, exact: true });
}

/** The whole tile is in view and not covered. */
async function expectFocusInView(focused: Locator): Promise<void> {
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

test('arrow keys move through the gallery and its pages, and the focused card is never covered', async ({
  page,
  server,
}) => {
  addDays(server, 130, { shapes });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(NEXT_PAGES, async (route) => {
    await released;
    await route.continue();
  });
  const { keyboard } = page;
  await page.goto('/gallery');
  await button(page, 'Open', 1).focus();
  await keyboard.press('ArrowLeft');
  await keyboard.press('ArrowUp');
  await expect(button(page, 'Open', 1)).toBeFocused();
  await keyboard.press('ArrowRight');
  await expectFocusInView(button(page, 'Open', 2));
  await keyboard.press('ArrowDown');
  await expectFocusInView(button(page, 'Open', 6));
  await keyboard.press('Tab');
  await expect(button(page, 'Love', 6)).toBeFocused();
  for (const day of [10, 14, 18, 22]) {
    await keyboard.press('ArrowDown');
    await expectFocusInView(button(page, 'Love', day));
  }
  for (const day of [18, 14, 10, 6]) {
    await keyboard.press('ArrowUp');
    await expectFocusInView(button(page, 'Love', day));
  }

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(button(page, 'Open', 100)).toBeInViewport();
  await expect(button(page, 'Love', 6), 'the focus stays').toBeFocused();
  await keyboard.press('ArrowRight');
  await expectFocusInView(button(page, 'Love', 7));

  await keyboard.press('End');
  await expectFocusInView(button(page, 'Love', 100));
  release();
  await expect(button(page, 'Open', 101)).toBeAttached();
  await expectFocusInView(button(page, 'Love', 100));
  await keyboard.press('ArrowRight');
  await expectFocusInView(button(page, 'Love', 101));
  await keyboard.press('Home');
  await expectFocusInView(button(page, 'Love', 1));

  await page.getByRole('radio', { name: 'List' }).check();
  await button(page, 'Love', 1).focus();
  for (let day = 2; day <= 12; day += 1) {
    await keyboard.press('ArrowDown');
    await expectFocusInView(button(page, 'Love', day));
  }
  await keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Edit Day 12', exact: true })).toBeFocused();
  await keyboard.press('Shift+Tab');
  await expect(cardMenu(page, 'Day 12')).toBeFocused();
});

test('arrow keys move through the collection on home', async ({ page, server }) => {
  addDays(server, 130, { shapes });
  await page.goto('/');
  await button(page, 'Open', 1).focus();
  for (let day = 2; day <= 9; day += 1) {
    await page.keyboard.press('ArrowRight');
    await expectFocusInView(button(page, 'Open', day));
  }
  await page.keyboard.press('End');
  await expect(button(page, 'Open', 101)).toBeAttached();
  await expectFocusInView(button(page, 'Open', 100));
});

function opened(page: Page, caption: string): Locator {
  return page.getByRole('dialog', { name: caption, exact: true });
}

test('in the lightbox keys navigate over pages, like and edit; closing focuses the last open memory', async ({
  page,
  server,
}) => {
  addDays(server, 103, { shapes });
  const { keyboard } = page;
  await page.goto('/gallery');
  await button(page, 'Open', 1).click();
  const previous = page.getByRole('button', { name: 'Previous memory' });
  const next = page.getByRole('button', { name: 'Next memory' });
  await expect(previous).toBeDisabled();
  await keyboard.press('ArrowLeft');
  let isCut = true;
  await page.route(NEXT_PAGES, (route) => (isCut ? route.abort() : route.continue()));
  // Like a key that is held down.
  for (let presses = 0; presses < 99; presses += 1) await keyboard.press('ArrowRight');
  await expect(opened(page, 'Day 100')).toBeVisible();
  await keyboard.press('ArrowRight');
  await expect(toast(page)).toContainText('Failed to load memories');
  isCut = false;
  for (let day = 101; day <= 103; day += 1) {
    await keyboard.press('ArrowRight');
    await expect(opened(page, `Day ${day}`)).toBeVisible();
  }
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('Day 103');
  await expect(next).toBeDisabled();
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowLeft');
  await expect(opened(page, 'Day 102')).toBeVisible();
  await keyboard.press('Control+ArrowLeft');
  await keyboard.press('l');
  await expect(page.getByRole('button', { name: 'Loved' })).toBeVisible();

  await keyboard.press('e');
  const caption = page.getByLabel('Caption');
  await expect(caption).toBeFocused();
  await keyboard.press('End');
  await keyboard.type('le');
  await keyboard.press('ArrowLeft');
  await expect(caption).toHaveValue('Day 102le');
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  await expect(opened(page, 'Day 102')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectFocusInView(button(page, 'Open', 102));
  await expect(button(page, 'Love', 102)).toHaveAttribute('aria-pressed', 'true');
});

test('a memory that no longer matches the search keeps its neighbors', async ({ page, server }) => {
  addMemories(server, ['Snow man', 'Snow ball', 'Snow fall']);
  const { keyboard } = page;
  await page.goto('/gallery?q=snow');
  await page.getByRole('button', { name: 'Open Snow ball' }).click();
  await keyboard.press('e');
  await page.getByLabel('Caption').fill('Ice');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(opened(page, 'Ice')).toBeVisible();
  await expect(page.locator('[role=listitem]')).toHaveCount(2);
  await keyboard.press('ArrowRight');
  await expect(opened(page, 'Snow man')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next memory' })).toBeDisabled();
  await keyboard.press('ArrowLeft');
  await expect(opened(page, 'Snow fall')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open Snow fall' })).toBeFocused();
});

test('in the timeline keys navigate into unloaded months, and the timeline scrolls along', async ({
  page,
  server,
}) => {
  addDays(server, 400, { shapes, apart: 48 * HOUR });
  await page.goto('/timeline');
  await expect(button(page, 'Open', 1)).toBeVisible();
  const months = page.getByLabel('Go to month');
  await months.selectOption({ index: 11 });
  const first = page.getByRole('button', { name: /^Open Day/ }).first();
  await expect(async () => expect(await dayOf(first)).toBeGreaterThan(100)).toPass();
  const start = await dayOf(first);
  const month = await months.inputValue();
  await first.click();
  for (let day = start + 1; day <= start + 35; day += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(opened(page, `Day ${day}`)).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expectFocusInView(button(page, 'Open', start + 35));
  await expect(months).not.toHaveValue(month);
});

async function dayOf(opener: Locator): Promise<number> {
  return Number(/\d+/.exec((await opener.getAttribute('aria-label')) ?? '')?.[0]);
}

test.describe('on a phone', () => {
  test.use(phone);
  test('buttons and swipes navigate, too, and the next photo is preloaded', async ({ page, server }) => {
    // Of the same shape, so that all are fetched in the same width.
    addDays(server, 5);
    const requestedUrls = new Set<string>();
    page.on('request', (request) => void requestedUrls.add(request.url()));
    await page.goto('/');
    await button(page, 'Open', 2).click();
    const next = page.getByRole('button', { name: 'Next memory' });
    const box = await next.boundingBox();
    expect(Math.round(Math.min(box?.width ?? 0, box?.height ?? 0))).toBeGreaterThanOrEqual(44);
    const photo = page.getByRole('dialog').getByRole('img');
    const address = () => photo.evaluate((image: HTMLImageElement) => image.currentSrc);
    await expect.poll(address).toContain('?w=');
    const width = new URL(await address()).search;
    const nextUrl = `${server.state.album.memories[2]?.imageUrl}${width}`;
    await expect.poll(() => [...requestedUrls].filter((url) => url.endsWith(nextUrl))).toHaveLength(1);
    const before = new Set(requestedUrls);
    await next.click();
    await expect(opened(page, 'Day 3')).toBeVisible();
    await expect.poll(async () => before.has(await address())).toBe(true);
    await expect(next).toBeFocused();

    const swipe = async (from: number, to: number) => {
      const touch = (clientX: number) => [{ identifier: 0, clientX, clientY: 200 }];
      await photo.dispatchEvent('touchstart', { touches: touch(from), changedTouches: touch(from) });
      await photo.dispatchEvent('touchend', { touches: [], changedTouches: touch(to) });
    };
    await swipe(250, 100);
    await expect(opened(page, 'Day 4')).toBeVisible();
    await swipe(100, 130);
    await swipe(100, 250);
    await expect(opened(page, 'Day 3')).toBeVisible();
    await page.getByRole('button', { name: 'Previous memory' }).click();
    await expect(opened(page, 'Day 2')).toBeVisible();
  });
});
