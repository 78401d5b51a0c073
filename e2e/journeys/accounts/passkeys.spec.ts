import type { Page } from '@playwright/test';
import { turnTotpOn } from '../../support/accounts/totp.ts';
import { registerUser, toast } from '../../support/accounts/users.ts';
import { addAuthenticator, disablePasskeySuggestions } from '../../support/accounts/virtual-authenticator.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test as base } from '../../support/fixtures.ts';

/** Browsers reject passkeys on IP addresses. */
const test = base.extend({
  baseURL: async ({ app }, use) => use(app.address.replace('127.0.0.1', 'localhost')),
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const rows = (page: Page) => section(page).getByRole('listitem');
const add = (page: Page) => section(page).getByRole('button', { name: 'Add a passkey' });
const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
const welcome = (page: Page) => page.getByRole('button', { name: 'Add Mems' });

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/auth');
}

test('a passkey is added, renamed, and opens the album without a password or a code, until it is removed', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/login/passkey');
  await disablePasskeySuggestions(page);
  await page.goto('/auth');
  await expect(byPasskey(page)).toBeVisible();
  await addAuthenticator(page);
  await registerUser(page);
  await turnTotpOn(page);
  await page.goto('/account');
  await expect(section(page)).toContainText('You have none yet.');
  await add(page).press('Enter');
  await expect(toast(page)).toContainText('Passkey added');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(/Chrome on Linux.*not used yet/);
  await add(page).click();
  await expect(toast(page)).toContainText('This device has a passkey for your album already.');
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Rename Chrome on Linux' }).press('Enter');
  const renaming = page.getByRole('dialog', { name: 'Rename this passkey' });
  await expect(renaming.getByLabel('Name')).toBeFocused();
  await renaming.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await expect(renaming.getByText('Please enter a name')).toBeVisible();
  await renaming.getByLabel('Name').fill('Mara’s phone');
  await page.keyboard.press('Enter');
  await expect(renaming).toBeHidden();
  await expect(rows(page)).toContainText('Mara’s phone');

  await signOut(page);
  await byPasskey(page).press('Enter');
  await expect(welcome(page)).toBeVisible();
  await expect(toast(page)).toContainText('Welcome back!');
  await page.goto('/account');
  await expect(rows(page)).toContainText('last used today');

  await page.getByRole('button', { name: 'Remove Mara’s phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect(add(page)).toBeFocused();
  await signOut(page);
  await byPasskey(page).click();
  await expect(page.getByText('This passkey does not open an album here.').first()).toBeVisible();
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('a passkey needs a device that verifies its user, confirms the identity, and is among the suggestions for the email', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/totp');
  const authenticator = await addAuthenticator(page);
  await registerUser(page);
  await page.goto('/account');
  await test.step('a device that does not verify its user adds none', async () => {
    await authenticator.verify(false);
    await add(page).click();
    await expect(toast(page)).toContainText('No passkey was added');
    expect(await authenticator.credentials()).toEqual([]);
    await authenticator.verify(true);
    await add(page).click();
    await expect(rows(page)).toHaveCount(1);
  });
  await test.step('it is used in place of the password', async () => {
    // As ten minutes later.
    const rejected = { message: 'Please confirm that it is you', code: 'identity-unconfirmed' };
    await page.route('**/api/user/totp', (route) => route.fulfill({ status: 403, json: rejected }), {
      times: 1,
    });
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const identityDialog = page.getByRole('dialog', { name: 'Is it you?' });
    await expect(identityDialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
    await expectNoViolations(page);
    await identityDialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('dialog', { name: 'Set up your authenticator app' })).toBeVisible();
  });
  await test.step('the browser suggests it', async () => {
    // The simulated user chooses it at once.
    await signOut(page);
    await expect(welcome(page)).toBeVisible();
    await expect(toast(page)).toContainText('Welcome back!');
  });
});
