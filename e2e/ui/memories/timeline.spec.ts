import type { Locator, Page } from '@playwright/test';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { openMenu } from '../../support/accounts/users.ts';
import { addMemory } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const MONTHS = '**/api/memories/months?*';
const PAGES = '**/api/memories?*cursor=*';
/** The height of the bar and a heading's padding. */
const MAX_VISIBLE_TOP = 90;

test.use({ timezoneId: 'Europe/London' });

test.beforeEach(({ page }) => page.clock.setFixedTime(NOW));

function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * DAY).toISOString();
}

const SHAPES = [
  { width: 1200, height: 900 },
  { width: 900, height: 1200 },
  { width: 1600, height: 600 },
  { width: 600, height: 1600 },
];

/** One every other day, over three years. */
function addLongHistory(server: FakeServer, count = 600): void {
  for (let index = count - 1; index >= 0; index -= 1)
    addMemory(server, `Memory ${index}`, { createdAt: daysAgo(index * 2), ...SHAPES[index % 4] });
}

function month(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

function entry(page: Page, caption: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByText(caption, { exact: true }) });
}

function monthSelect(page: Page): Locator {
  return page.getByLabel('Go to month');
}

async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? NaN;
}

/** The heading is right below the bar. */
async function expectAtTop(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name, exact: true });
  await expect
    .poll(async () => {
      const top = await topOf(heading);
      return top > 50 && top < MAX_VISIBLE_TOP;
    })
    .toBe(true);
}

test('headings and circles follow the order by date taken; back and reload keep the order', async ({
  page,
  server,
}) => {
  addMemory(server, 'Scanned', { createdAt: '2026-03-14T10:00:00.000Z', memoryDate: '1999-05-17' });
  addMemory(server, 'Just added', { createdAt: '2026-03-01T10:00:00.000Z' });
  await page.goto('/timeline');
  const captions = page.getByText(/^(Scanned|Just added)$/);
  await expect(captions).toHaveText(['Scanned', 'Just added']);
  await page.getByRole('radio', { name: 'Taken' }).check();
  await expect(captions).toHaveText(['Just added', 'Scanned']);
  await expect(page).toHaveURL('/timeline?order=taken');
  await expect(page.getByRole('radio', { name: 'Taken' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['March 2026', 'May 1999']);
  const scanned = entry(page, 'Scanned');
  await expect(scanned.getByText('17', { exact: true })).toBeVisible();
  await expect(scanned.getByText('Taken May 17, 1999', { exact: true })).toBeVisible();
  await expect(scanned.getByText('Added March 14, 2026, Yesterday', { exact: true })).toBeVisible();
  await expect(entry(page, 'Just added').getByText('March 1, 2026', { exact: true })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('radio', { name: 'Taken' })).toBeChecked();
  await expect(captions).toHaveText(['Just added', 'Scanned']);
  await page.goBack();
  await expect(page.getByRole('radio', { name: 'Added' })).toBeChecked();
  await expect(captions).toHaveText(['Scanned', 'Just added']);
});

test('jumping in a long timeline needs few requests and photos', async ({ page, server }) => {
  addLongHistory(server, 2000);
  const pages: string[] = [];
  page.on('request', (request) => request.url().includes('cursor=') && pages.push(request.url()));
  await page.goto('/timeline');
  await expect(entry(page, 'Memory 0')).toBeVisible();
  await expect(monthSelect(page).locator('optgroup')).toHaveCount(12);

  const before = pages.length;
  await monthSelect(page).selectOption({ label: 'May 2020' });
  await expectAtTop(page, 'May 2020');
  const firstOfMay = month(page, 'May 2020').getByRole('listitem').first();
  await expect(firstOfMay.getByText('May 31, 2020', { exact: true })).toBeVisible();
  await expect(firstOfMay.getByRole('img', { name: /^Memory/ })).toBeVisible();
  await expect(page).toHaveURL('/timeline?month=2020-05');
  expect(pages.length - before).toBeLessThanOrEqual(3);
  expect(new URL(pages.at(-1)!).searchParams.get('limit')).toBe('100');

  await monthSelect(page).selectOption({ label: 'April 2015' });
  await expectAtTop(page, 'April 2015');
  await expect(monthSelect(page)).toHaveValue('2015-04');
  await expect(month(page, 'April 2015').getByRole('img').first()).toBeVisible();

  for (let step = 0; step < 15; step += 1) {
    await page.mouse.wheel(0, -1500);
    await expect.poll(() => page.locator('img').count()).toBeLessThanOrEqual(60);
  }
  // The month select follows while scrolling up.
  await expect(monthSelect(page)).not.toHaveValue('2015-04');
});

test('reload and back restore the position', async ({ page, server }) => {
  addLongHistory(server);
  await page.goto('/timeline');
  await expect(entry(page, 'Memory 0')).toBeVisible();
  await monthSelect(page).selectOption({ label: 'June 2024' });
  await expectAtTop(page, 'June 2024');
  await expect(page).toHaveURL('/timeline?month=2024-06');
  await page.reload();
  await expectAtTop(page, 'June 2024');
  await expect(month(page, 'June 2024').getByRole('img').first()).toBeVisible();

  // Also within a month.
  const seen = month(page, 'June 2024').getByRole('listitem').nth(2);
  await seen.evaluate((element) => window.scrollBy(0, element.getBoundingClientRect().top - 70));
  await expect.poll(() => page.evaluate(() => (history.state as { row?: number } | null)?.row)).toBe(3);
  await page.reload();
  await expect.poll(() => topOf(seen)).toBeLessThan(MAX_VISIBLE_TOP);
  await expect.poll(() => topOf(seen)).toBeGreaterThan(50);

  // At the top no position is saved.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await expect(page).toHaveURL('/timeline');
  await page.goto('/timeline?month=2024-06');
  await expectAtTop(page, 'June 2024');
  // Not a click, before which Playwright may scroll the page.
  await page.getByRole('radio', { name: 'Taken' }).dispatchEvent('click');
  await expect(page).toHaveURL('/timeline?order=taken');
  await expect(entry(page, 'Memory 0')).toBeInViewport();
  await page.goBack();
  await expectAtTop(page, 'June 2024');
});

test('going back to the previous page and forward again restores the position', async ({ page, server }) => {
  addLongHistory(server);
  await page.goto('/pets');
  await openMenu(page);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await monthSelect(page).selectOption({ label: 'June 2024' });
  await expectAtTop(page, 'June 2024');
  await expect(page).toHaveURL('/timeline?month=2024-06');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'My Pets' })).toBeInViewport();
  await page.goForward();
  await expectAtTop(page, 'June 2024');
});

test('visible memories do not move when others are added', async ({ page, server }) => {
  addLongHistory(server);
  await page.goto('/timeline');
  await expect(entry(page, 'Memory 0')).toBeVisible();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(PAGES, async (route) => {
    await released;
    await route.continue();
  });
  await monthSelect(page).selectOption({ label: 'June 2024' });
  await expectAtTop(page, 'June 2024');
  const heading = page.getByRole('heading', { name: 'June 2024' });
  await expect(month(page, 'June 2024').getByRole('img')).toHaveCount(0);
  const before = await topOf(heading);
  release();
  await expect(month(page, 'June 2024').getByRole('img').first()).toBeVisible();
  await expect(month(page, 'July 2024').getByRole('img').first()).toBeVisible();
  await expect.poll(async () => Math.abs((await topOf(heading)) - before)).toBeLessThan(2);
});

test('five placeholders are shown while the months load', async ({ page, server }) => {
  addMemory(server, 'At the lake');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(MONTHS, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/timeline');
  await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached();
  await expect(page.locator('main [class*="aspect-4/3"]')).toHaveCount(5);
  release();
  await expect(entry(page, 'At the lake')).toBeVisible();
  await expect(page.locator('main [class*="aspect-4/3"]')).toHaveCount(0);
});

test('failed memories can be retried in place', async ({ page, server }) => {
  addLongHistory(server);
  await page.route(MONTHS, (route) => route.abort());
  await page.goto('/timeline');
  await expect(page.getByRole('alert')).toContainText('Your timeline could not be loaded.');
  await page.unroute(MONTHS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(entry(page, 'Memory 0')).toBeVisible();

  await page.route(PAGES, (route) => route.abort());
  await monthSelect(page).selectOption({ label: 'June 2024' });
  await expectAtTop(page, 'June 2024');
  await expect(page.getByRole('alert')).toHaveText('Some memories could not be loaded.');
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect(retry).toHaveCount(1);
  await expect(retry).toBeInViewport({ ratio: 1 });
  const june = month(page, 'June 2024');
  await expect(june.getByText('This memory could not be loaded.').first()).toBeVisible();
  await page.unroute(PAGES);
  await retry.click();
  await expect(june.getByRole('img').first()).toBeVisible();
  await expect(june.getByText('This memory could not be loaded.')).toHaveCount(0);
  await expectAtTop(page, 'June 2024');
});

test('the timeline works with the keyboard only', async ({ page, server }) => {
  addLongHistory(server, 60);
  await page.goto('/timeline');
  await expect(entry(page, 'Memory 0')).toBeVisible();
  await monthSelect(page).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Added' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL('/timeline?order=taken');
  await expect(page.getByRole('radio', { name: 'Taken' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Open Memory 0', exact: true })).toBeVisible();
  for (let index = 0; index < 20; index += 1) {
    await page.keyboard.press('Tab');
    const button = page.getByRole('button', { name: `Open Memory ${index}`, exact: true });
    await expect(button).toBeFocused();
    await expect(button).toBeInViewport();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Memory 19' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Open Memory 19' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Open Memory 18' })).toBeFocused();
});

test('a nonsensical address shows the timeline from its top', async ({ page, server }) => {
  addLongHistory(server, 60);
  await page.goto('/timeline?month=nonsense&order=nonsense');
  await expect(entry(page, 'Memory 0')).toBeInViewport();
  await expect(page.getByRole('radio', { name: 'Added' })).toBeChecked();
  await expect(monthSelect(page)).toHaveValue('2026-03');
  expect(server.requests.filter((request) => request.includes('nonsense'))).toEqual([]);
});
