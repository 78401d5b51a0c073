import type { Page } from '@playwright/test';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { book, counter, openPicker, picker } from '../../support/flipbooks.ts';
import { keepToasts } from '../../support/screens/toasts.ts';
import { addDays, newMemory } from '../albums.ts';
import { expect, phone, test } from '../fixtures.ts';

const MAX_RENDERED_PAGES = 60;

// The animation is part of what these tests are about.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Their dates are not in the order of adding. */
function addThree({ state }: FakeServer): void {
  for (const each of [
    { caption: 'Second', memoryDate: '2024-05-02' },
    { caption: 'Third', memoryDate: '2024-05-03' },
    { caption: 'First', memoryDate: '2024-05-01' },
  ])
    state.album.create(newMemory(state, { ...each, tags: ['river', 'sun'] }));
}

async function createBookOfAll(page: Page, count: number): Promise<void> {
  await openPicker(page);
  await picker(page)
    .getByRole('button', { name: `Select All (${count})` })
    .click();
  await picker(page)
    .getByRole('button', { name: `Create Flipbook with ${count} ${count === 1 ? 'memory' : 'memories'}` })
    .click();
  await expect(book(page).getByText('Created with love')).toBeVisible();
}

/** From right to left, by touch if available, else with the mouse. */
async function swipe(page: Page, isTouch: boolean): Promise<void> {
  const { x, y, width, height } = (await book(page).boundingBox())!;
  const [from, to, level] = [x + width * 0.8, x + width * 0.3, y + height / 2];
  if (!isTouch) {
    await page.mouse.move(from, level);
    await page.mouse.down();
    await page.mouse.move(to, level, { steps: 5 });
    await page.mouse.up();
    return;
  }
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at === undefined ? [] : [{ x: at, y: level }],
    });
  await touch('touchStart', from);
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + (to - from) * share);
  await touch('touchEnd');
}

async function waitForTurns(page: Page): Promise<void> {
  await expect(book(page).locator('.book-page[data-turning=true]')).toHaveCount(0);
}

for (const [device, options] of Object.entries({ phone, desktop: {} })) {
  test.describe(`on a ${device}`, () => {
    test.use(options);
    test('pages turn by button, key, swipe and slider, in order of date', async ({
      page,
      server,
      hasTouch,
    }) => {
      addThree(server);
      await createBookOfAll(page, 3);
      const isWide = page.viewportSize()!.width > 800;
      const next = page.getByRole('button', { name: 'Next' });
      const prev = page.getByRole('button', { name: 'Prev' });
      await expect(counter(page, 'Page 1 of 8')).toBeVisible();
      await expect(prev).toBeDisabled();
      await expectNoViolations(page);

      await next.click();
      await expect(counter(page, isWide ? 'Pages 2–3 of 8' : 'Page 2 of 8')).toBeVisible();
      await expect(book(page).getByRole('img', { name: 'First' })).toBeVisible();
      if (!isWide) await next.click();
      await expect(book(page).getByText('Memory 1 of 3')).toBeVisible();
      await expect(book(page).getByText('May 1, 2024')).toBeVisible();

      await page.keyboard.press('ArrowRight');
      await expect(book(page).getByRole('img', { name: 'Second' })).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('PageUp');
      await expect(book(page).getByText('Memory 1 of 3')).toBeVisible();
      await waitForTurns(page);
      await swipe(page, hasTouch);
      await expect(counter(page, isWide ? 'Pages 4–5 of 8' : 'Page 4 of 8')).toBeVisible();
      await expect(page.getByRole('status').filter({ hasText: 'Memory 2 of 3' })).toContainText('photo');

      await page.getByRole('slider', { name: 'Page' }).fill('7');
      await expect(book(page).getByText('Memory 3 of 3')).toBeVisible();
      await expect(book(page).getByText('Third')).toBeVisible();
      await page.keyboard.press('End');
      await expect(book(page).getByText('The End')).toBeVisible();
      await expect(next).toBeDisabled();
      await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '8');
      await page.keyboard.press('Home');
      await expect(book(page).getByText('Memory Flipbook')).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    });
  });
}

test('on a low phone, a toast leaves the words on the cover free', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await keepToasts(page);
  addThree(server);
  await createBookOfAll(page, 3);
  const words = (await book(page).getByText('Created with love').boundingBox())!;
  let previousY = -1;
  await expect
    .poll(
      async () => {
        const { y, height } = (await toast(page).boundingBox())!;
        const isStill = y === previousY;
        previousY = y;
        return isStill && (y + height <= words.y || y >= words.y + words.height);
      },
      // It is placed again once the page has been still for less than this.
      { intervals: [600] },
    )
    .toBe(true);
});

test('a toast is beside the book that is created', async ({ page, server }) => {
  await keepToasts(page);
  addThree(server);
  await createBookOfAll(page, 3);
  const edge = book(page).locator('.book-edge[data-side=right]');
  await expect(async () => {
    const [notice, { x, width }] = [(await toast(page).boundingBox())!, (await edge.boundingBox())!];
    expect(notice.x).toBeGreaterThanOrEqual(x + width);
  }).toPass({ timeout: 20_000 });
});

test('a failed PDF can be retried, and a lost session leads to the sign-in page', async ({
  page,
  server,
}) => {
  addDays(server, 1);
  await createBookOfAll(page, 1);
  await expect(book(page).getByText('1 Beautiful Memory')).toBeVisible();
  const PDFS = '**/api/flipbooks/pdf/*';
  const pdf = () => server.state.pdfs[0]!;
  await page.route(PDFS, (route) => route.fulfill({ json: { ...pdf(), status: 'failed' } }), { times: 1 });
  // A single failed poll is retried.
  await page.route(PDFS, (route) => route.abort(), { times: 1 });
  const button = page.getByRole('button', { name: 'Download PDF' });
  await button.click();
  await expect(page.getByRole('progressbar', { name: 'Creating the PDF' })).toBeVisible();
  await expect(toast(page)).toHaveText('The PDF could not be createdSomething went wrong. Please try again.');

  const download = page.waitForEvent('download');
  const asked = page.waitForResponse('**/api/flipbooks/pdf');
  await button.click();
  await asked;
  Object.assign(pdf(), { status: 'completed', progress: 100, url: `/api/flipbooks/pdf/${pdf().id}/file` });
  await download;
  await expect(toast(page)).toContainText('Your PDF is ready');

  server.state.isSignedIn = false;
  await button.click();
  await expect(page).toHaveURL('/auth');
});

test('a large book fetches only memories near the open page', async ({ page, server }) => {
  addDays(server, 501);
  const lists: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/memories' && searchParams.has('ids')) lists.push(searchParams.get('ids')!);
  });
  await createBookOfAll(page, 501);
  expect(Math.max(...lists.map((ids) => ids.split(',').length))).toBeLessThanOrEqual(100);
  await page.getByRole('slider', { name: 'Page' }).fill('1004');
  await expect(book(page).getByText('The End')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(book(page).getByText('Memory 501 of 501')).toBeVisible();
  await expect(book(page).getByText('Day 1', { exact: true })).toBeVisible();
  expect(await book(page).locator('.book-page:not(:empty)').count()).toBeLessThanOrEqual(MAX_RENDERED_PAGES);
  await page.getByRole('button', { name: 'Download PDF' }).click();
  await expect(toast(page)).toContainText('A PDF holds at most 500 memories. Please select fewer.');
});

test('an unknown book leads back to the gallery', async ({ page }) => {
  await page.goto('/flipbook/unheard');
  await expect(page.getByRole('heading', { name: 'This flipbook is no longer available' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the gallery' }).click();
  await expect(page).toHaveURL(/\/gallery$/);
});
