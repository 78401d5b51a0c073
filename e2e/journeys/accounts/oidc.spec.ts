import type { Page } from '@playwright/test';
import { turnTotpOn } from '../../support/accounts/totp.ts';
import { fillSignIn, newUser, registerUser, toast } from '../../support/accounts/users.ts';
import { test } from '../../support/apps/oidc-app.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect } from '../../support/fixtures.ts';

const SIGN_IN = 'Sign in with Our house';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** At the provider's own page. */
async function continueAs(page: Page, name: string): Promise<void> {
  await expect(heading(page, 'The provider')).toBeVisible();
  await page.getByLabel('Name at the provider').fill(name);
  await button(page, 'Continue').click();
}

async function enterRecoveryCode(page: Page, code = ''): Promise<void> {
  await button(page, 'Use a recovery code instead').click();
  await page.getByLabel('Recovery code').fill(code);
  await page.keyboard.press('Enter');
}

/** Ends both sessions. */
async function forget(page: Page): Promise<void> {
  await page.context().clearCookies();
}

test.describe('a sign-in with OpenID Connect', () => {
  // In one worker: each starts an app.
  test.describe.configure({ mode: 'default' });
  // Text has less contrast during animations.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('joins the album after its password once, by keyboard, and is enough from then on', async ({
    page,
  }) => {
    const user = newUser();
    await page.request.post('/api/register', { data: user });
    await forget(page);
    await page.goto('/auth');
    await expect(button(page, SIGN_IN)).toBeVisible();
    await button(page, SIGN_IN).focus();
    await page.keyboard.press('Enter');
    await continueAs(page, user.username);

    await expect(heading(page, 'Which album is yours?')).toBeVisible();
    await expect(page.getByText(`${user.username}@house.example`)).toBeVisible();
    await expectNoViolations(page);
    await fillSignIn(page, user);
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Connect Our house to your album?')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(button(page, 'Connect Our house')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/account');
    await expect(button(page, 'Disconnect Our house')).toBeVisible();

    await forget(page);
    await page.goto('/auth');
    await button(page, SIGN_IN).click();
    await continueAs(page, user.username);
    await expect(page).toHaveURL('/');
    await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
  });

  test('joins an album with an authenticator app after its code, without leaving the page', async ({
    page,
  }) => {
    const user = await registerUser(page);
    const { codes } = await turnTotpOn(page);
    await forget(page);
    await page.goto('/auth');
    await button(page, SIGN_IN).click();
    await continueAs(page, `${user.username}-code`);
    await fillSignIn(page, user);
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Enter your code')).toBeVisible();
    await button(page, 'Back').click();
    await expect(heading(page, 'Which album is yours?')).toBeVisible();
    await fillSignIn(page, user);
    await page.keyboard.press('Enter');
    await enterRecoveryCode(page, codes[0]);
    await expect(heading(page, 'Connect Our house to your album?')).toBeFocused();
    await button(page, 'Connect Our house').click();
    await expect(toast(page)).toContainText('Our house connected');

    await forget(page);
    await page.goto('/auth');
    await button(page, SIGN_IN).click();
    await continueAs(page, `${user.username}-code`);
    await expect(heading(page, 'Enter your code')).toBeVisible();
    // The page before is the provider's.
    await button(page, 'Back').click();
    await expect(heading(page, 'Open your album')).toBeVisible();
  });

  test('is connected and disconnected on the account page', async ({ page, expectErrorResponse }) => {
    const user = await registerUser(page);
    await page.goto('/account');
    const section = page.getByRole('region', { name: 'Our house' });
    await expect(section.getByText('Not connected')).toBeVisible();
    await button(page, 'Connect Our house').click();
    await continueAs(page, `${user.username}-2`);
    await expect(page.getByText(user.email)).toBeVisible();
    await button(page, 'Connect Our house').click();
    await expect(toast(page)).toContainText('Our house connected');
    await expect(section.getByText(`${user.username}-2@house.example`)).toBeVisible();

    // Too long ago: a session of an hour ago.
    expectErrorResponse('/api/oidc/identities/');
    let isConfirmed = false;
    await page.route('**/api/oidc/identities/*', async (route) => {
      const json = { message: 'Please confirm that it is you', code: 'identity-unconfirmed' };
      return isConfirmed ? route.continue() : route.fulfill({ status: 403, json });
    });
    await button(page, 'Disconnect Our house').click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await expect(dialog.getByLabel('Password')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(button(page, 'Disconnect Our house')).toBeVisible();
    await button(page, 'Disconnect Our house').click();
    await dialog.getByLabel('Password').fill(user.password);
    isConfirmed = true;
    await page.keyboard.press('Enter');
    await expect(section.getByText('Not connected')).toBeFocused();
    await expect(toast(page)).toContainText('Our house disconnected');
  });

  test('that is cancelled leads back kindly', async ({ page }) => {
    await page.goto('/auth');
    await button(page, SIGN_IN).click();
    await button(page, 'Cancel').click();
    await expect(page.getByRole('alert')).toHaveText(
      'You cancelled signing in with Our house. Nothing has changed.',
    );
    await expectNoViolations(page);
    await button(page, SIGN_IN).click();
    await expect(heading(page, 'The provider')).toBeVisible();
    // Also after Back: the button works again.
    await page.goBack();
    await expect(button(page, SIGN_IN)).toBeVisible();
    await button(page, SIGN_IN).click();
    await expect(heading(page, 'The provider')).toBeVisible();
  });
});
