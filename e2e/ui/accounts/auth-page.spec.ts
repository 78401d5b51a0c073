import type { Page } from '@playwright/test';
import { fillSignIn, fillSignUp, newUser, toast } from '../../support/accounts/users.ts';
import { expect, test } from '../fixtures.ts';

const UNREACHABLE = "Mems Are Forever can't be reached. Please check your connection and try again.";

const form = (page: Page) => page.getByRole('tabpanel');
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

test.beforeEach(({ server }) => void (server.state.isSignedIn = false));

test('a wrong password is shown at the form, too', async ({ page }) => {
  await page.goto('/auth');
  await fillSignIn(page, newUser());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(form(page).getByRole('alert')).not.toBeEmpty();
  const reason = await form(page).getByRole('alert').textContent();
  await expect(toast(page)).toHaveText(`Login failed${reason}`);
  // Hidden while the next attempt is pending.
  await page.route('**/api/login', () => undefined);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(form(page).getByRole('alert')).toHaveCount(0);
});

test('both forms report an unreachable server', async ({ page }) => {
  for (const path of ['/api/login', '/api/register']) await page.route(`**${path}`, (route) => route.abort());
  await page.goto('/auth');
  await fillSignIn(page, newUser());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page)).toHaveText(`Login failed${UNREACHABLE}`);
  await expect(form(page).getByRole('alert')).toHaveText(UNREACHABLE);
  await tab(page, 'Sign Up').click();
  await fillSignUp(page, newUser());
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toast(page)).toHaveText(`Registration failed${UNREACHABLE}`);
  await expect(form(page).getByRole('alert')).toHaveText(UNREACHABLE);
});

test('a taken email is shown at its field only', async ({ page, server }) => {
  const { email } = server.state.user;
  await page.goto('/auth');
  await tab(page, 'Sign Up').click();
  await fillSignUp(page, { ...newUser(), email });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(form(page).getByRole('alert')).toHaveCount(0);
});

test('the heading matches the tab', async ({ page }) => {
  await page.goto('/auth');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open your album');
  await tab(page, 'Sign Up').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Start your album');
  await expect(page).toHaveTitle('Sign up · Mems Are Forever');
});

test('the side panel does not move', async ({ page }) => {
  await page.goto('/auth');
  const aside = page.getByRole('complementary');
  const before = await aside.boundingBox();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  expect(await aside.boundingBox()).toEqual(before);
  await tab(page, 'Sign Up').click();
  expect(await aside.boundingBox()).toEqual(before);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  expect(await aside.boundingBox()).toEqual(before);
});

test('a tab shows keyboard focus, but none after a click', async ({ page }) => {
  await page.goto('/auth');
  await tab(page, 'Sign Up').click();
  await expect(tab(page, 'Sign Up')).toBeFocused();
  await expect(tab(page, 'Sign Up')).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('ArrowLeft');
  await expect(tab(page, 'Sign In')).toBeFocused();
  await expect(tab(page, 'Sign In')).toHaveCSS('outline-style', 'solid');
});
