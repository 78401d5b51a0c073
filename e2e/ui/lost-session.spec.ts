import { expect, test } from './fixtures.ts';

const LOGGED_OUT = 'UnauthorizedYou are logged out. Logging in again...';
const screens = {
  home: ['/', 'Session expiredPlease log in again to continue.'],
  gallery: ['/gallery', LOGGED_OUT],
  account: ['/account', LOGGED_OUT],
} as const;

for (const [name, [path, notice]] of Object.entries(screens)) {
  test(`a session that was lost is reported on ${name}, then the sign-in page opens`, async ({
    page,
    server,
  }) => {
    // The user is cached; all else is refused.
    server.failing = { calls: /^GET \/api\/(?!user$|config$|login$)/, status: 401 };
    let redirect = () => {};
    const isNoticed = new Promise<void>((resolve) => (redirect = resolve));
    // Holds the redirect, before which the toast is shown for half a second.
    await page.route(
      '**/api/login',
      async (route) => {
        await isNoticed;
        await route.continue();
      },
      { times: 1 },
    );
    await page.goto(path);
    const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
    await expect(toast).toHaveText([notice]);
    server.state.isSignedIn = false;
    redirect();
    await expect(page.getByRole('heading', { name: 'Open your album' })).toBeVisible();
    await expect(page).toHaveURL('/auth');
  });
}
