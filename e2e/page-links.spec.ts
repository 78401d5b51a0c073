import { expect, test } from './fixtures.ts';
import { createMemory, smallPhoto } from './photos.ts';
import { fillSignIn, registerUser } from './users.ts';

const DATA_LINK = 'link[rel="preload"][as="fetch"]';

for (const path of ['/', '/gallery', '/timeline']) {
  test(`the data that ${path} links to is requested once, and used`, { tag: '@once' }, async ({ page }) => {
    await registerUser(page);
    await createMemory(page, await smallPhoto(), 'At the lake');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
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
      const again = page.waitForRequest(link, { timeout: 5000 });
      await page.evaluate((link) => fetch(link, { credentials: 'include' }).then(() => undefined), link);
      await again;
    }
  });
}

test(
  'a sign-in does not get responses from before it',
  { tag: '@once' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/api/');
    const user = await registerUser(page);
    await createMemory(page, await smallPhoto(), 'At the lake');
    const cookies = await context.cookies();
    await page.request.post('/api/logout');
    await context.addCookies(cookies);
    await page.goto('/');
    await expect(page.locator(DATA_LINK)).not.toHaveCount(0);
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await fillSignIn(page, user);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('img', { name: 'At the lake' }).first()).toBeVisible();
    await expect(page).toHaveURL('/');
  },
);
