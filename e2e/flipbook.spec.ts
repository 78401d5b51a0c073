import type { Locator, Page, Route } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { failPdf } from './flipbook-pdfs.ts';
import { addPastMemories } from './past-memories.ts';
import { registerUser, toast } from './users.ts';
import { createMemory, smallPhoto } from './photos.ts';

const MAX_RENDERED_PAGES = 60;

// Tests the animation on the desktop too.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test.beforeEach(({ page }) => registerUser(page));

/** Their dates are not in the order of adding. */
async function addThree(page: Page): Promise<void> {
  for (const [caption, memoryDate] of [
    ['Second', '2024-05-02'],
    ['Third', '2024-05-03'],
    ['First', '2024-05-01'],
  ] as const)
    await createMemory(page, await smallPhoto(300, 200), caption, { memoryDate, tags: 'river, sun' });
}

function picker(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Create Memory Flipbook' });
}

function book(page: Page): Locator {
  return page.getByRole('group', { name: 'Memory Flipbook' });
}

/** The counter below the book. */
function counter(page: Page, text: string): Locator {
  return page.getByRole('navigation', { name: 'Pages' }).getByText(text, { exact: true });
}

async function openPicker(page: Page): Promise<void> {
  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Create Flipbook' }).click();
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

test(
  'memories are chosen by pointer and keyboard, and an empty selection is rejected',
  { tag: '@quick' },
  async ({ page }) => {
    await addThree(page);
    await openPicker(page);
    const dialog = picker(page);
    const tile = (caption: string) => dialog.getByRole('option', { name: caption });
    await expect(dialog.getByText('0 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Select memories to create flipbook' }).click();
    await expect(toast(page)).toContainText(
      'No memories selectedPlease select at least one memory to create a flipbook.',
    );
    await expect(dialog).toBeVisible();
    // It covers the tiles, and stays while the mouse waits on it.
    await toast(page).getByRole('button', { name: 'Dismiss' }).click();

    await tile('Second').click();
    await expect(tile('Second')).toHaveAttribute('aria-selected', 'true');
    await expect(dialog.getByText('1 selected')).toBeVisible();
    await expect(
      dialog.getByRole('button', { name: 'Create Flipbook with 1 memory', exact: true }),
    ).toBeVisible();
    // The most recently taken is first, so the third is before the second.
    await page.keyboard.press('ArrowLeft');
    await expect(tile('Third')).toBeFocused();
    await page.keyboard.press(' ');
    await expect(dialog.getByRole('button', { name: 'Create Flipbook with 2 memories' })).toBeVisible();
    await expectNoViolations(page);
    await tile('Second').click();
    await expect(dialog.getByText('1 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Clear Selection' }).click();
    await expect(dialog.getByText('0 selected')).toBeVisible();
    await dialog.getByRole('button', { name: 'Select All (3)' }).click();
    await dialog.getByRole('button', { name: 'Create Flipbook with 3 memories' }).click();

    await expect(page).toHaveURL(/\/flipbook\/\w+/);
    await expect(toast(page)).toContainText('Flipbook created!3 memories are in your book.');
    await expect(book(page).getByText('3 Beautiful Memories')).toBeVisible();
  },
);

test(
  'pages turn by button, key, swipe and slider, in order of date',
  { tag: '@phone' },
  async ({ page, hasTouch }) => {
    await addThree(page);
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
  },
);

test('a book and its page survive reload, back and the list view', async ({ page }) => {
  await addThree(page);
  await createBookOfAll(page, 3);
  await page.getByRole('slider', { name: 'Page' }).fill('5');
  await expect(page).toHaveURL(/page=5/);
  await page.reload();
  await expect(book(page).getByText('Memory 2 of 3')).toBeVisible();

  await page.getByRole('button', { name: 'View as list' }).click();
  await expect(page.getByRole('heading', { name: 'Memory Flipbook' })).toBeAttached();
  await expect(page.getByRole('article').filter({ hasText: 'Memory 2 of 3' })).toBeInViewport();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'View as book' }).click();
  await expect(book(page)).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download PDF' }).click();
  expect((await download).suggestedFilename()).toBe('memory-flipbook.pdf');
  await expect(toast(page)).toContainText('Your PDF is ready');

  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/gallery$/);
  // Deletes one memory and reopens the book.
  await page.request.get('/api/memories').then(async (answer) => {
    const memories = (await answer.json()) as { id: string; caption: string }[];
    const second = memories.find(({ caption }) => caption === 'Second')!;
    expect((await page.request.delete(`/api/memories/${second.id}`)).status()).toBe(204);
  });
  await page.goForward();
  await page.reload();
  await expect(book(page)).toBeVisible();
  await page.keyboard.press('End');
  await expect(counter(page, 'Page 6 of 6')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(book(page).getByText('Memory 2 of 2')).toBeVisible();
  await expect(book(page).getByText('Third')).toBeVisible();

  await page.goto('/flipbook/unheard');
  await expect(page.getByRole('heading', { name: 'This flipbook is no longer available' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the gallery' }).click();
  await expect(page).toHaveURL(/\/gallery$/);
});

test('a failed PDF can be retried, and a lost session leads to the sign-in page', async ({
  page,
  expectErrorResponse,
}) => {
  await createMemory(page, await smallPhoto(), 'Snow');
  await createBookOfAll(page, 1);
  await expect(book(page).getByText('1 Beautiful Memory')).toBeVisible();
  const PDF = '/api/flipbooks/pdf/';
  const askedFor = async (route: Route) => {
    await failPdf(new URL(route.request().url()).pathname.slice(PDF.length));
    await route.fallback();
  };
  await page.route(`**${PDF}*`, askedFor, { times: 1 });
  // A single failed poll is retried.
  expectErrorResponse(PDF);
  await page.route(`**${PDF}*`, (route) => route.abort(), { times: 1 });
  const button = page.getByRole('button', { name: 'Download PDF' });
  await button.click();
  await expect(page.getByRole('progressbar', { name: 'Creating the PDF' })).toBeVisible();
  // Creating the PDF is slow while other tests create theirs.
  await expect(toast(page)).toHaveText(
    'The PDF could not be createdSomething went wrong. Please try again.',
    {
      timeout: 30_000,
    },
  );

  const download = page.waitForEvent('download');
  await button.click();
  await download;
  await expect(toast(page)).toContainText('Your PDF is ready');

  await page.context().clearCookies();
  await button.click();
  await expect(page).toHaveURL('/auth');
});

test('a large book fetches only memories near the open page', async ({ page }) => {
  await addPastMemories(
    page,
    [await smallPhoto(120, 90)],
    Array.from({ length: 501 }, (_, index) => ({
      createdAt: new Date(Date.UTC(2024, 0, 1) + index * 3_600_000).toISOString(),
      caption: `Memory ${index}`,
    })),
  );
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
  await expect(book(page).getByText('Memory 500', { exact: true })).toBeVisible();
  expect(await book(page).locator('.book-page:not(:empty)').count()).toBeLessThanOrEqual(MAX_RENDERED_PAGES);
  await page.getByRole('button', { name: 'Download PDF' }).click();
  await expect(toast(page)).toContainText('A PDF holds at most 500 memories. Please select fewer.');
});
