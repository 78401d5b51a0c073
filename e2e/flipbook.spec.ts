import type { Locator, Page, Route } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { hasBookMoved, recordFrames, largestGap } from './book-frames.ts';
import { expect, test } from './fixtures.ts';
import { failPdf } from './flipbook-pdfs.ts';
import { addPastMemories } from './past-memories.ts';
import { LOGGED_OUT, waitForToast, registerUser, toast } from './users.ts';
import { createMemory, smallPhoto } from './photos.ts';
import { countLiveResources } from './leaks.ts';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 600, height: 800 };
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
  await book(page).evaluate((element) => {
    let [last, stillFor] = ['', 0];
    return new Promise<void>((resolve) => {
      const look = () => {
        stillFor = element.innerHTML === last ? stillFor + 1 : 0;
        last = element.innerHTML;
        if (stillFor === 10) resolve();
        else requestAnimationFrame(look);
      };
      look();
    });
  });
}

test('memories are chosen by pointer and keyboard, and an empty selection is rejected', async ({ page }) => {
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
});

test('pages turn by button, key, swipe and slider, in order of date', async ({ page, hasTouch }) => {
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
});

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

test(
  'a failed PDF can be retried, and a lost session is reported',
  { tag: '@once' },
  async ({ page, expectErrorResponse }) => {
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
    const notice = waitForToast(page, LOGGED_OUT);
    await button.click();
    await notice;
    await expect(page).toHaveURL(/\/auth/);
  },
);

test(
  'resizing between two pages and one keeps the page, also during a turn',
  { tag: '@once' },
  async ({ page }) => {
    await page.setViewportSize(WIDE);
    await addThree(page);
    await createBookOfAll(page, 3);
    await page.getByRole('slider', { name: 'Page' }).fill('5');
    await expect(counter(page, 'Pages 4–5 of 8')).toBeVisible();
    await page.setViewportSize(NARROW);
    await expect(counter(page, 'Page 5 of 8')).toBeVisible();
    await expect(book(page).getByText('Memory 2 of 3')).toBeVisible();
    await page.setViewportSize(WIDE);
    await expect(counter(page, 'Pages 4–5 of 8')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await page.setViewportSize(NARROW);
    await expect(counter(page, 'Page 6 of 8')).toBeVisible();
    await expect(book(page).getByRole('img', { name: 'Third' })).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 500 });
    const bottom = async () => {
      const { y, height } = (await book(page).locator('.book').boundingBox())!;
      return y + height;
    };
    await expect.poll(bottom).toBeLessThan(500);
  },
);

/** Single memories of successive days, named 'Day 1' and so on. */
async function addDays(page: Page, count: number): Promise<void> {
  const photo = await smallPhoto(300, 200);
  for (let day = 1; day <= count; day++)
    await createMemory(page, photo, `Day ${day}`, { memoryDate: `2024-05-0${day}` });
}

/** The number of visible pages once no page is turning. */
async function openPages(page: Page): Promise<number> {
  await expect(book(page).locator('.book-page[data-turning=true]')).toHaveCount(0);
  return book(page).locator('.book-page:visible').count();
}

test('pages stay on the spine in every frame, and none is blank', { tag: '@once' }, async ({ page }) => {
  await addDays(page, 5);
  await createBookOfAll(page, 5);
  await expect(book(page).locator('.book-page img').first()).toBeVisible();
  const middle = page.viewportSize()!.width / 2;
  const expectWhole = async (key: string) => {
    const frames = await recordFrames(page, () => page.keyboard.press(key));
    expect(largestGap(frames)).toBeLessThan(1);
    expect(frames.filter(({ pages }) => pages.length === 0 || pages.some(({ isBlank }) => isBlank))).toEqual(
      [],
    );
    return frames.at(-1)!;
  };
  // The closed book is centered, and so is the spine of the open one.
  expect((await expectWhole('ArrowRight')).spine).toBeCloseTo(middle, 0);
  const [cover] = (await expectWhole('ArrowLeft')).pages;
  expect((cover!.left + cover!.right) / 2).toBeCloseTo(middle, 0);
  await expectWhole('End');
  expect(await openPages(page)).toBe(1);
  await expectWhole('ArrowLeft');
  await expectWhole('ArrowRight');
  await expectWhole('Home');
  expect(await openPages(page)).toBe(1);
});

test('turns can be interrupted by other turns', { tag: '@once' }, async ({ page }) => {
  await addDays(page, 5);
  await createBookOfAll(page, 5);
  const turning = book(page).locator('.book-page[data-turning=true]');
  for (let presses = 0; presses < 5; presses++) await page.getByRole('button', { name: 'Next' }).click();
  await expect(counter(page, 'Pages 10–11 of 12')).toBeVisible();
  expect(await openPages(page)).toBe(2);
  await expect(book(page).getByText('Memory 5 of 5')).toBeVisible();

  // The leaf reverses from its current angle.
  const frames = await recordFrames(page, async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(turning).not.toHaveCount(0);
    // A turn that is reversed before it has moved leaves nothing to record.
    await expect.poll(() => page.evaluate(hasBookMoved), { intervals: [20] }).toBe(true);
    await page.keyboard.press('ArrowRight');
  });
  expect(largestGap(frames)).toBeLessThan(1);
  await expect(counter(page, 'Pages 10–11 of 12')).toBeVisible();
  expect(await openPages(page)).toBe(2);

  await page.keyboard.press('Home');
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(counter(page, 'Pages 2–3 of 12')).toBeVisible();
  expect(await openPages(page)).toBe(2);
  await expect(book(page).getByText('Memory 1 of 5')).toBeVisible();
});

test(
  'a dragged page follows the pointer, and turns or falls back on release',
  { tag: '@once' },
  async ({ page }) => {
    await addDays(page, 3);
    await createBookOfAll(page, 3);
    await page.keyboard.press('ArrowRight');
    expect(await openPages(page)).toBe(2);
    const block = (await book(page).locator('.book').boundingBox())!;
    const [middle, level] = [block.x + block.width / 2, block.y + block.height / 2];
    const half = block.width / 2;
    const front = book(page).locator('.book-page').nth(2);
    const back = book(page).locator('.book-page').nth(3);
    const dragTo = async (share: number) => {
      await page.mouse.move(middle + half * share, level, { steps: 4 });
      return middle + half * share;
    };

    await page.mouse.move(middle + half * 0.98, level);
    await page.mouse.down();
    for (const share of [0.8, 0.5, 0.2]) {
      const x = await dragTo(share);
      const { x: left, width } = (await front.boundingBox())!;
      expect(left).toBeCloseTo(middle, 0);
      expect(Math.abs(left + width - x)).toBeLessThan(half * 0.15);
    }
    const x = await dragTo(-0.5);
    const { x: left, width } = (await back.boundingBox())!;
    expect(left + width).toBeCloseTo(middle, 0);
    expect(Math.abs(left - x)).toBeLessThan(half * 0.15);
    // Back to the start of the drag.
    await dragTo(0.96);
    await page.mouse.up();
    await expect(counter(page, 'Pages 2–3 of 8')).toBeVisible();
    expect(await openPages(page)).toBe(2);

    await page.mouse.move(middle + half * 0.98, level);
    await page.mouse.down();
    await dragTo(0.3);
    await page.mouse.up();
    await expect(counter(page, 'Pages 4–5 of 8')).toBeVisible();
    expect(await openPages(page)).toBe(2);

    await page.mouse.move(middle - half * 0.98, level);
    await page.mouse.down();
    await dragTo(-0.3);
    // The browser cancels the pointer.
    await book(page)
      .locator('.book')
      .evaluate((block) =>
        block.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, bubbles: true })),
      );
    await page.mouse.up();
    await expect(counter(page, 'Pages 4–5 of 8')).toBeVisible();
    expect(await openPages(page)).toBe(2);
  },
);

test(
  'a drag ends without a pressed button, and survives a turn by key',
  { tag: '@once' },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await addDays(page, 3);
    await createBookOfAll(page, 3);
    await page.keyboard.press('ArrowRight');
    expect(await openPages(page)).toBe(2);
    const stage = (await book(page).boundingBox())!;
    const block = (await book(page).locator('.book').boundingBox())!;
    const turning = book(page).locator('.book-page[data-turning="true"]');
    const [right, bottom] = [block.x + block.width * 0.9, stage.y + stage.height - 2];

    // Released outside the stage.
    await page.mouse.move(right, bottom);
    await page.mouse.down();
    await page.mouse.move(right, bottom + 7);
    await page.mouse.up();
    await page.mouse.move(right, bottom);
    await page.mouse.move(right - block.width / 4, bottom, { steps: 4 });
    await expect(turning).toHaveCount(0);

    const [middle, level] = [block.x + block.width / 2, block.y + block.height / 2];
    await page.mouse.move(right, level);
    await page.mouse.down();
    await page.mouse.move(middle, level, { steps: 4 });
    await expect(turning).toHaveCount(2);
    const angles = await page.evaluate(async () => {
      const held = document.querySelectorAll<HTMLElement>('.book-page')[2]!;
      const angle = () => Number(/-?[\d.]+/.exec(held.style.transform.replace('rotateY', ''))?.[0] ?? 0);
      const before = angle();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return { before, after: angle() };
    });
    expect(Math.abs(angles.after - angles.before)).toBeLessThan(0.3);
    await page.mouse.up();
    await expect(counter(page, 'Page 1 of 8')).toBeVisible();
  },
);

test('pages change without animation if reduced motion is preferred', { tag: '@once' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await addThree(page);
  await createBookOfAll(page, 3);
  const frames = await page.evaluate(async () => {
    const book = document.querySelector('[aria-roledescription=book]')!;
    const lifted: string[] = [];
    new MutationObserver(() => {
      for (const page of book.querySelectorAll<HTMLElement>('.book-page'))
        if (page.style.transform) lifted.push(page.style.transform);
    }).observe(book, { subtree: true, attributes: true, attributeFilter: ['style'] });
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return lifted;
  });
  expect(frames).toEqual([]);
  await expect(book(page).getByText('Memory 1 of 3')).toBeVisible();
  await swipe(page, false);
  await expect(book(page).getByText('Memory 2 of 3')).toBeVisible();
});

test(
  'a large book fetches only memories near the open page, and leaves no listeners or frames',
  { tag: '@once' },
  async ({ page }) => {
    await addPastMemories(
      page,
      [await smallPhoto(120, 90)],
      Array.from({ length: 501 }, (_, index) => ({
        createdAt: new Date(Date.UTC(2024, 0, 1) + index * 3_600_000).toISOString(),
        caption: `Memory ${index}`,
      })),
    );
    await page.addInitScript(countLiveResources);
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
    expect(await book(page).locator('.book-page:not(:empty)').count()).toBeLessThanOrEqual(
      MAX_RENDERED_PAGES,
    );
    await page.getByRole('button', { name: 'Download PDF' }).click();
    await expect(toast(page)).toContainText('A PDF holds at most 500 memories. Please select fewer.');

    const closed = async () => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('heading', { name: 'Mems Gallery' })).toBeVisible();
      await expect(
        page.getByRole('region', { name: 'Memories' }).getByRole('listitem').first(),
      ).toBeVisible();
      return page.evaluate(() => window.getLiveResources());
    };
    const before = await closed();
    for (let round = 0; round < 3; round++) {
      await page.goForward();
      await expect(book(page)).toBeVisible();
      // Closes the book during a turn.
      await page.keyboard.press('ArrowLeft');
      expect(await closed()).toEqual(before);
    }
  },
);
