import type { Page } from '@playwright/test';
import { LOGGED_OUT, newUser, toast } from '../../support/accounts/users.ts';
import { holdSignInRedirect, keepToasts } from '../../support/screens/toasts.ts';
import { expect, test } from '../fixtures.ts';

const SESSION_EXPIRED = 'Session expiredPlease log in again to continue.';

test('a signed-in user on /auth is redirected home', async ({ page }) => {
  await page.goto('/auth');
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Add Mems' })).toBeVisible();
});

test('a visitor of a page for users is sent to the sign-in page', async ({ page, server }) => {
  server.state.isSignedIn = false;
  await page.goto('/gallery');
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  for (const path of ['/timeline', '/pets', '/contacts', '/phone-verification', '/account'])
    await test.step(path, async () => {
      const redirected = await holdSignInRedirect(page);
      await page.goto(path);
      await redirected();
    });
});

test('home has its own toast for an expired session', async ({ page, server }) => {
  await keepToasts(page);
  await openSignedIn(page);
  server.state.isSignedIn = false;
  // Also if another request of the page gets the first 401.
  const rejected = page.waitForResponse('**/api/pets**');
  await page.route('**/api/memories**', async (route) => {
    await rejected;
    await route.fallback();
  });
  const redirected = await holdSignInRedirect(page);
  await page.getByRole('link', { name: 'Go home' }).click();
  await expect(toast(page)).toHaveText(SESSION_EXPIRED);
  await redirected();
});

test('sign-up works with the keyboard alone', async ({ page, server }) => {
  server.state.isSignedIn = false;
  const person = newUser();
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused();
  await page.keyboard.press('Tab');
  for (const text of [person.firstName, '', person.username, person.email, person.password]) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Create account' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Account created!');
});

/** Each sends a request of its own. Home has a toast of its own. */
const SCREENS = [
  '/gallery',
  '/gallery?tab=caricatures',
  '/gallery/deleted',
  '/timeline',
  '/pets',
  '/contacts',
  '/add-many',
  '/account',
  '/admin',
];

test('a session that is lost before a screen opens shows a toast and leads to the sign-in page', async ({
  page,
  server,
}) => {
  server.state.user.isAdmin = true;
  await keepToasts(page);
  for (const path of SCREENS)
    await test.step(path, async () => {
      server.state.isSignedIn = true;
      await openSignedIn(page);
      server.state.isSignedIn = false;
      const redirected = await holdSignInRedirect(page);
      await page.evaluate((path) => history.pushState(null, '', path), path);
      await expect(toast(page)).toHaveText(LOGGED_OUT);
      await redirected();
    });
});

/** At a page without requests. Its event stream is open: asked for after the session, it would tell of the end first. */
async function openSignedIn(page: Page): Promise<void> {
  const following = page.waitForResponse('**/api/events');
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await following;
}
