import type { Page } from '@playwright/test';
import { fillSignIn, newUser, signInAsNewUser } from '../../support/accounts/users.ts';
import { holdScript } from '../../support/apps/network.ts';
import { expect, test } from '../../support/fixtures.ts';
import { addMemories } from '../../support/screens/gallery.ts';

const DATA_LINK = 'link[rel="preload"][as="fetch"]';

test('the data that pages link to is requested once, and used', async ({ page }) => {
  await signInAsNewUser(page);
  await addMemories(page, ['At the lake']);
  let requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const path of ['/', '/gallery', '/timeline']) {
    await test.step(path, async () => {
      requested = [];
      await page.goto(path);
      await expect(page.getByRole('img', { name: 'At the lake' }).first()).toBeVisible();
      const links = await page.evaluate(
        (selector) => [...document.querySelectorAll<HTMLLinkElement>(selector)].map(({ href }) => href),
        DATA_LINK,
      );
      expect(links).not.toEqual([]);
      for (const link of links) {
        expect(requested.filter((url) => url === link)).toHaveLength(1);
        // The browser would take an unused response instead of sending this request.
        const again = page.waitForRequest(link);
        await page.evaluate((link) => fetch(link, { credentials: 'include' }).then(() => undefined), link);
        await again;
      }
    });
  }
});

test('a sign-in does not get responses from before it', async ({ page, context, expectErrorResponse }) => {
  expectErrorResponse('/api/');
  const user = await signInAsNewUser(page);
  await addMemories(page, ['At the lake']);
  const cookies = await context.cookies();
  await page.request.post('/api/logout');
  await context.addCookies(cookies);
  await page.goto('/');
  await expect(page.locator(DATA_LINK)).not.toHaveCount(0);
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await fillSignIn(page, user);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('img', { name: 'At the lake' }).first()).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('a user who signs in sees no list that was requested before', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/');
  await signInAsNewUser(page);
  await addMemories(page, ['At the lake']);
  // The session ends after the list was sent.
  await page.route('**/api/user', (route) =>
    route.fulfill({ status: 401, json: { message: 'Unauthorized' } }),
  );
  const list = page.waitForResponse('**/api/memories?*');
  await page.goto('/');
  expect((await list).status()).toBe(200);
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await page.unroute('**/api/user');
  const other = newUser();
  await page.request.post('/api/register', { data: other });
  await fillSignIn(page, other);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('No mems yet')).toBeVisible();
  await expect(page.getByRole('img', { name: 'At the lake' })).toHaveCount(0);
});

test('the first tiles are requested while the app is loading, and once', async ({ page, context }) => {
  await signInAsNewUser(page);
  await addMemories(page, ['At the lake', 'In the garden']);
  for (const path of ['/', '/gallery', '/gallery?view=list'])
    await test.step(path, async () => {
      const tab = await context.newPage();
      await expectEarlyTiles(tab, path);
      await tab.unrouteAll({ behavior: 'ignoreErrors' });
      await tab.close();
    });
});

async function expectEarlyTiles(page: Page, path: string): Promise<void> {
  const app = await holdScript(page, 'main');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const tiles = () => requested.filter((url) => url.includes('/objects/'));
  await page.goto(path, { waitUntil: 'commit' });
  await expect.poll(() => tiles().length).toBe(2);
  await expect(page.getByRole('heading')).toHaveCount(0);
  const early = tiles();
  app.release();
  const photo = page.getByRole('button', { name: 'Open At the lake' }).locator('img');
  await expect(photo).toBeVisible();
  for (const image of await page
    .getByRole('button', { name: /^Open / })
    .locator('img')
    .all())
    await image.evaluate((image: HTMLImageElement) => image.decode());
  expect(early).toContain(await photo.evaluate((image: HTMLImageElement) => image.currentSrc));
  const later = requested.filter((url) => !url.includes('/objects/') || early.includes(url));
  expect(later.filter((url) => /\/objects\/|\/api\/memories\?/.test(url))).toHaveLength(3);
}
