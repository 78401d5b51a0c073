import type { Locator, Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { addPastMemories, type PastMemory } from './past-memories.ts';
import { LOGGED_OUT, waitForToast, openMenu, registerUser, toast } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, choosePhoto, finishUpload, smallPhoto } from './photos.ts';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const MONTHS = '**/api/memories/months?*';
const PAGES = '**/api/memories?*cursor=*';
/** The height of the bar and a heading's padding. */
const MAX_VISIBLE_TOP = 90;

test.use({ timezoneId: 'Europe/London' });

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(NOW);
  await registerUser(page);
});

function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * DAY).toISOString();
}

/** One every other day, over three years. */
function longHistory(count = 600): PastMemory[] {
  return Array.from({ length: count }, (_, index) => ({
    createdAt: daysAgo(index * 2),
    caption: `Memory ${index}`,
  }));
}

async function mixedShapes() {
  return Promise.all([smallPhoto(120, 90), smallPhoto(90, 120), smallPhoto(160, 60), smallPhoto(60, 160)]);
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

test('memories are grouped by month, newest first, with their details', async ({ page }) => {
  const petId = await createPet(page, { name: 'Biscuit', species: 'dog' });
  await addPastMemories(page, await mixedShapes(), [
    { createdAt: '2026-02-28T10:00:00Z', caption: 'Snow', memoryDate: '2026-02-28' },
    { createdAt: '2026-03-14T10:00:00Z', tags: ['summer', 'at the lake'], memoryDate: '2019-05-17', petId },
    { createdAt: '2024-12-24T10:00:00Z', caption: 'يوم جميل' },
  ]);
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await expect(page).toHaveTitle('Memory Timeline · Mems Are Forever');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Memory Timeline');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'March 2026',
    'February 2026',
    'December 2024',
  ]);

  const untitled = month(page, 'March 2026').getByRole('listitem').first();
  await expect(untitled.getByText('14', { exact: true })).toBeVisible();
  await expect(untitled.getByText('March 14, 2026', { exact: true })).toBeVisible();
  await expect(untitled.getByText('Yesterday', { exact: true })).toBeVisible();
  await expect(untitled.getByText('Taken May 17, 2019', { exact: true })).toBeVisible();
  await expect(untitled.getByText('Untitled Memory', { exact: true })).toBeVisible();
  await expect(untitled.getByText('Biscuit', { exact: true })).toBeVisible();
  await expect(untitled.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveText([
    'summer',
    'at the lake',
  ]);

  const snow = entry(page, 'Snow');
  await expect(snow.getByText('February 28, 2026', { exact: true })).toBeVisible();
  await expect(snow.getByText(/Taken/)).toBeHidden();
  const picture = snow.getByRole('img', { name: 'Snow' });
  await expect(picture).toHaveAttribute('srcset', /w=200 200w.*w=1600 1600w/);
});

const monthsIn: [string, Record<string, string[]>][] = [
  ['America/Los_Angeles', { 'March 2026': ['31'], 'February 2026': ['28', '28'] }],
  ['Pacific/Auckland', { 'April 2026': ['1'], 'March 2026': ['1', '1'] }],
];
for (const [timezoneId, months] of monthsIn) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test('months and days follow the local time zone', { tag: '@once' }, async ({ page }) => {
      await page.clock.setFixedTime('2026-04-01T06:00:00Z');
      await addPastMemories(
        page,
        [await smallPhoto(120, 30)],
        ['2026-04-01T05:00:00Z', '2026-03-01T05:00:00Z', '2026-02-28T12:00:00Z'].map((createdAt) => ({
          createdAt,
        })),
      );
      await page.goto('/timeline');
      await expect(page.getByRole('heading', { level: 2 })).toHaveText(Object.keys(months));
      for (const [name, days] of Object.entries(months)) {
        const entries = month(page, name).getByRole('listitem');
        await expect(entries).toHaveCount(days.length);
        for (const [index, day] of days.entries()) {
          const formatLongDate = name.replace(' ', ` ${day}, `);
          await expect(entries.nth(index).getByText(day, { exact: true })).toBeVisible();
          await expect(entries.nth(index).getByText(formatLongDate, { exact: true })).toBeVisible();
        }
      }
      await expect(page.getByText('Today', { exact: true })).toHaveCount(1);
    });
  });
}

test('headings and circles follow the order by date taken; back and reload keep the order', async ({
  page,
}) => {
  await addPastMemories(
    page,
    [await smallPhoto(120, 30)],
    [
      { createdAt: '2026-03-14T10:00:00Z', caption: 'Scanned', memoryDate: '1999-05-17' },
      { createdAt: '2026-03-01T10:00:00Z', caption: 'Just added' },
    ],
  );
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

test('jumping in a long timeline needs few requests and photos', async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), longHistory(2000));
  const pages: string[] = [];
  page.on('request', (request) => request.url().includes('cursor=') && pages.push(request.url()));
  await page.goto('/timeline');
  await expect(entry(page, 'Memory 0')).toBeVisible();
  expect(await monthSelect(page).locator('optgroup').count()).toBe(12);

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
    expect(await page.locator('img').count()).toBeLessThanOrEqual(60);
  }
  // The month select follows while scrolling up.
  await expect(monthSelect(page)).not.toHaveValue('2015-04');
});

test('reload and back restore the position', async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), longHistory());
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

test(
  'going back to the previous page and forward again restores the position',
  { tag: '@once' },
  async ({ page }) => {
    await addPastMemories(page, await mixedShapes(), longHistory());
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
  },
);

test('a month without memories leads to the next older one', { tag: '@once' }, async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), [
    ...longHistory(60),
    { createdAt: '2020-01-05T00:00:00Z', caption: 'Long ago' },
  ]);
  await page.goto('/timeline?month=2022-02');
  await expectAtTop(page, 'January 2020');
  await page.goto('/timeline?month=nonsense&order=nonsense');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
});

test('visible memories do not move when others are added', async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), longHistory());
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
  expect(Math.abs((await topOf(heading)) - before)).toBeLessThan(2);
});

test('a photo opens its memory; edits are shown at once', async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), longHistory(5));
  await page.goto('/timeline');
  const open = page.getByRole('button', { name: 'Open Memory 1', exact: true });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Memory 1' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(open).toBeFocused();

  await open.click();
  await dialog.getByRole('button', { name: 'Edit Memory' }).click();
  await page.getByLabel('Caption').fill('By the sea');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page)).toContainText('Memory Updated');
  await page.keyboard.press('Escape');
  await expect(entry(page, 'By the sea')).toBeVisible();
  await page.reload();
  await expect(entry(page, 'By the sea')).toBeVisible();
});

test('an empty timeline offers to add the first memory and shows it', async ({ page }) => {
  // Uppy throttles its progress, so the clock must run.
  await page.clock.setSystemTime(NOW);
  await page.goto('/timeline');
  await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
  await expect(page.getByText('Upload your first memory to start your timeline!')).toBeVisible();
  await page.getByRole('button', { name: 'Add your first photo' }).click();
  await page.getByLabel('Caption').fill('The first of all');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await finishUpload(page);
  await expect(entry(page, 'The first of all').getByText('Today', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Memory Timeline' })).toBeFocused();
});

test('five placeholders are shown while the months load', async ({ page }) => {
  await createMemory(page, await smallPhoto(), 'At the lake');
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

test('failed memories can be retried in place', { tag: '@once' }, async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/memories/months');
  expectErrorResponse('/api/memories');
  await addPastMemories(page, await mixedShapes(), longHistory());
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

test('a lost session redirects to sign-in', { tag: '@once' }, async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/memories/months');
  expectErrorResponse('/api/pets');
  await page.goto('/');
  await expect(page.getByText('No mems yet')).toBeVisible();
  await page.context().clearCookies();
  await openMenu(page);
  await Promise.all([waitForToast(page, LOGGED_OUT), page.getByRole('link', { name: 'Timeline' }).click()]);
  await expect(page).toHaveURL('/auth');
});

test('a visitor is redirected to sign-in', { tag: '@once' }, async ({ page }) => {
  await page.context().clearCookies();
  await Promise.all([waitForToast(page, LOGGED_OUT), page.goto('/timeline')]);
  await expect(page).toHaveURL('/auth');
});

test('another user sees none of the memories', { tag: '@once' }, async ({ page, browser, baseURL }) => {
  await addPastMemories(page, await mixedShapes(), longHistory(3));
  const months = (await (await page.request.get('/api/memories/months')).json()) as { cursor: string }[];
  const context = await browser.newContext({ baseURL: baseURL! });
  const other = await context.newPage();
  await registerUser(other);
  await other.goto('/timeline?month=2026-03');
  await expect(other.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
  expect(await (await other.request.get('/api/memories/months')).json()).toEqual([]);
  const path = `/api/memories?limit=100&cursor=${encodeURIComponent(months[0]!.cursor)}`;
  expect(await (await other.request.get(path)).json()).toEqual([]);
  await context.close();
});

test('the timeline works with the keyboard only', { tag: '@once' }, async ({ page }) => {
  await addPastMemories(page, await mixedShapes(), longHistory(60));
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

test('no horizontal scrolling at 360 px', { tag: '@once' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await addPastMemories(page, await mixedShapes(), [
    { createdAt: '2025-09-15T10:00:00Z', caption: 'Donaudampfschifffahrtsgesellschaft'.repeat(5) },
    { createdAt: '2025-09-14T10:00:00Z', tags: ['with a tag that goes on and on '.repeat(5)] },
  ]);
  await page.goto('/timeline');
  await expect(month(page, 'September 2025').getByRole('img').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test.describe('axe finds no violations', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('in an empty timeline, a full one, one that failed', async ({ page, expectErrorResponse }) => {
    expectErrorResponse('/api/memories');
    await page.goto('/timeline');
    await expect(page.getByRole('heading', { name: 'No memories yet' })).toBeVisible();
    await expectNoViolations(page);
    await addPastMemories(page, await mixedShapes(), [
      { createdAt: daysAgo(0), caption: 'At the lake', tags: ['summer'], memoryDate: '2020-02-02' },
      ...longHistory(),
    ]);
    await page.reload();
    await expect(page.getByRole('img', { name: 'At the lake' })).toBeVisible();
    await expectNoViolations(page);
    await page.route(PAGES, (route) => route.abort());
    await monthSelect(page).selectOption({ label: 'June 2024' });
    await expect(page.getByText('This memory could not be loaded.').first()).toBeVisible();
    await expectNoViolations(page);
  });
});
