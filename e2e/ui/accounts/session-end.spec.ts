import type { Page } from '@playwright/test';
import { fullState } from '../../../client/src/testing/fake-server/state/full-state.ts';
import type { FakeApp } from '../fake-app.ts';
import { expect, test } from '../fixtures.ts';

/** Waits for the page's photos and for its event stream. */
async function openPage(page: Page, fakeApp: FakeApp, path: string): Promise<void> {
  fakeApp.server.state = { ...fullState(), origin: fakeApp.origin };
  const following = page.waitForResponse('**/api/events');
  await page.goto(path);
  await following;
  await expect(photos(page).first()).toBeVisible();
}

function photos(page: Page) {
  return page.locator('main img[src*="/objects/"]');
}

/** The next connections are never answered: only a question for the user can tell that the session has ended. */
async function holdStream(page: Page): Promise<void> {
  await page.route('**/api/events', () => {});
}

function asksForUser(page: Page) {
  return page.waitForRequest('**/api/user');
}

/** As the browser tells a page that Back has restored. */
async function restoreFromCache(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
}

type Signal = (page: Page, fakeApp: FakeApp) => void | Promise<void>;
type Failure = keyof typeof failures;

const failures = {
  'a failure of the server': (page: Page) =>
    page.route('**/api/user', (route) => route.fulfill({ status: 500, body: '{}' })),
  'a lost network': (page: Page) => page.route('**/api/user', (route) => route.abort()),
};

/** Each asks whose session it is, which fails in the same ways. A stream can end once. */
const signals: Record<string, { give: Signal; fails: Failure[] }> = {
  'the end of the event stream': {
    give: (_page, fakeApp) => fakeApp.emit('end', {}),
    fails: ['a failure of the server'],
  },
  'an error of the event stream': {
    give: (_page, fakeApp) => fakeApp.breakStreams(),
    fails: ['a lost network'],
  },
  'a return from the back/forward cache': {
    give: restoreFromCache,
    fails: ['a failure of the server', 'a lost network'],
  },
};

for (const [signal, { give, fails }] of Object.entries(signals)) {
  for (const path of ['/', '/gallery']) {
    test(`${signal} makes ${path} drop the photos of an ended session and leave for the sign-in page`, async ({
      page,
      fakeApp,
    }) => {
      await openPage(page, fakeApp, path);
      await holdStream(page);
      fakeApp.server.state.isSignedIn = false;
      await give(page, fakeApp);
      await expect(photos(page)).toHaveCount(0);
      await expect(page).toHaveURL('/auth');
      await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
    });
  }

  test(`${signal} drops nothing with ${fails.join(' or ')}`, async ({ page, fakeApp }) => {
    await openPage(page, fakeApp, '/gallery');
    await holdStream(page);
    for (const failure of fails) {
      await failures[failure](page);
      const asked = asksForUser(page);
      await give(page, fakeApp);
      await asked;
      // The page works on.
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.getByRole('button', { name: 'Stop selecting' }).click();
      await expect(photos(page).first()).toBeVisible();
      await expect(page).toHaveURL('/gallery');
      await page.unroute('**/api/user');
    }
  });
}
