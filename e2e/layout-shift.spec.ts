import type { Page, Route } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { registerUser } from './users.ts';
import { createPet } from './pets.ts';
import { createMemory, smallPhoto } from './photos.ts';

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

/** Delays each response to a separate frame, so that each layout shift is recorded. */
async function delayResponsesToFrames(page: Page): Promise<void> {
  let turn = Promise.resolve();
  const drawn = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  await page.route(
    (url) => url.pathname.startsWith('/api/') && url.pathname !== '/api/events',
    (route: Route) => {
      // A page that is being left renders no more frames.
      turn = turn.then(async () => {
        await drawn().catch(() => undefined);
        await route.continue();
      });
      return turn;
    },
  );
}

async function expectStill(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await page.waitForLoadState('networkidle');
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

test.beforeEach(async ({ page }) => {
  await watchShifts(page);
  await delayResponsesToFrames(page);
});

test("no layout shift on a visitor's pages", async ({ page }) => {
  for (const path of ['/', '/auth', '/forgot-password', '/reset-password', '/nowhere'])
    await expectStill(page, path);
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

test("no layout shift on a new user's pages", async ({ page }) => {
  await registerUser(page);
  for (const path of SCREENS) await expectStill(page, path);
});

test('no layout shift on the pages of a user with memories', async ({ page }) => {
  await registerUser(page);
  await createPet(page, { name: 'Biscuit', species: 'dog' });
  await createMemory(page, await smallPhoto(), 'At the lake');
  await createMemory(page, await smallPhoto(), 'By the sea');
  await page.request.post('/api/contacts', { data: { name: 'Oma Ingrid', email: 'ingrid@family.example' } });
  for (const path of SCREENS) await expectStill(page, path);
});
