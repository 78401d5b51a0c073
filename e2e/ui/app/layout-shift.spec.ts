import type { Page, Request, Route } from '@playwright/test';
import { desktop, expect, phone, test } from '../fixtures.ts';
import { addDays } from '../albums.ts';
import { fullState } from '../../../client/src/testing/fake-server/state/full-state.ts';

const MAX_SHIFT = 0.02;

/** Includes shifts right after input: on phones, opening a page counts as input. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/**
 * Delays each response to a separate frame, so that each layout shift is recorded.
 * @returns a function that tells whether all have been answered
 */
async function delayResponsesToFrames(page: Page): Promise<() => boolean> {
  let turn = Promise.resolve();
  let pending = 0;
  const drawn = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  await page.route(isDelayed, (route: Route) => {
    pending++;
    // A page that is being left renders no more frames.
    turn = turn.then(async () => {
      await drawn().catch(() => undefined);
      await route.continue();
    });
    return turn;
  });
  const end = (request: Request) => void (isDelayed(new URL(request.url())) && pending--);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => pending === 0;
}

const isDelayed = ({ pathname }: URL) => pathname.startsWith('/api/') && pathname !== '/api/events';

async function expectStill(
  page: Page,
  path: string,
  untilShown = () => expect(page.getByRole('heading', { level: 1 })).toBeAttached(),
): Promise<void> {
  await page.goto(path);
  await untilShown();
  await expect.poll(isAnswered).toBe(true);
  await expect(page.locator('[aria-busy=true]').or(page.getByText(/^Loading/))).toHaveCount(0);
  await page.evaluate(async () => {
    const inView = [...document.images].filter(
      (image) => image.getBoundingClientRect().top < window.innerHeight && image.currentSrc,
    );
    await Promise.all(inView.map((image) => image.decode()));
  });
  const shifts = await page.evaluate(() =>
    (window as unknown as { shifts: LayoutShift[] }).shifts.map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node }) =>
        (node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 80),
      ),
    })),
  );
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, `${path} ${JSON.stringify(shifts)}`).toBeLessThan(MAX_SHIFT);
}

let isAnswered: () => boolean;

test.beforeEach(async ({ page }) => {
  await watchShifts(page);
  isAnswered = await delayResponsesToFrames(page);
});

const SCREENS = [
  '/',
  '/pets',
  '/gallery',
  '/gallery/deleted',
  '/timeline',
  '/contacts',
  '/account',
  '/phone-verification',
];

for (const [device, options] of Object.entries({ phone, desktop })) {
  test.describe(`no layout shift on a ${device}`, () => {
    test.use(options);

    test("on a visitor's pages", async ({ page, server }) => {
      server.state.isSignedIn = false;
      for (const path of ['/', '/auth', '/forgot-password', '/reset-password', '/nowhere'])
        await expectStill(page, path);
    });

    test("on a new user's pages", async ({ page }) => {
      for (const path of SCREENS) await expectStill(page, path);
    });

    test('on the pages of a user with some of everything', async ({ page, server }) => {
      server.state = fullState({ origin: server.state.origin });
      for (const path of SCREENS) await expectStill(page, path);
    });

    test('on home, where a portrait comes last', async ({ page, server }) => {
      addDays(server, 3, { shapes: [[600, 800]] });
      await page.route('**/api/memories/featured', async (route) => {
        await expect(page.getByRole('button', { name: 'Open Day 1' })).toBeVisible();
        await route.fallback();
      });
      const photo = page.getByRole('button', { name: 'See Day 1' });
      await expectStill(page, '/', () => expect(photo).toBeAttached());
    });

    test('on empty caricatures, where the answer that there are no pets comes last', async ({ page }) => {
      const caricatures = page.waitForResponse(/\/api\/caricatures(\?|$)/);
      const pets = page.waitForResponse(/\/api\/pets(\?|$)/);
      await page.route(/\/api\/pets(\?|$)/, async (route) => {
        await caricatures;
        await expect.poll(isAnswered).toBe(true);
        await route.fallback();
      });
      await expectStill(page, '/gallery?tab=caricatures', async () => void (await pets));
    });
  });
}
