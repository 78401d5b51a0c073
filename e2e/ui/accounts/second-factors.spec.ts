import type { Page } from '@playwright/test';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { RECOVERY_CODES } from '../../../client/src/testing/fake-server/routes/user-routes.ts';
import { fillSignIn } from '../../support/accounts/users.ts';
import { expect, test } from '../fixtures.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Authenticator app' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const codesDialog = (page: Page) => page.getByRole('dialog', { name: 'Save your recovery codes' });
const welcome = (page: Page) => page.getByRole('button', { name: 'Add Mems' });
const personOf = ({ state }: FakeServer) => ({ email: state.user.email, password: state.password });

function turnTotpOn({ state }: FakeServer): void {
  state.secondFactor = { totpSince: state.now, recoveryCodesLeft: 2 };
}

async function enterPassword(page: Page, server: FakeServer): Promise<void> {
  server.state.isSignedIn = false;
  await page.goto('/auth');
  await fillSignIn(page, personOf(server));
  await page.keyboard.press('Enter');
}

test('the second step can be left, and asks for the password again when it has ended', async ({
  page,
  server,
}) => {
  turnTotpOn(server);
  await enterPassword(page, server);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(heading(page, 'Open your album')).toBeVisible();
  await fillSignIn(page, personOf(server));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(heading(page, 'Enter your code')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Open your album')).toBeVisible();
  await page.goForward();
  await expect(heading(page, 'Enter your code')).toBeVisible();
  // As after ten minutes.
  server.state.isCodeNeeded = false;
  await page.getByLabel('Code').fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Please enter your password again.');
  await fillSignIn(page, personOf(server));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(RECOVERY_CODES[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(welcome(page)).toBeVisible();
});

test('recovery codes are renewed, and the app is turned off, after a question and the password', async ({
  page,
  server,
}) => {
  turnTotpOn(server);
  server.state.isIdentityUnconfirmed = true;
  await page.goto('/account');
  await expect(section(page)).toContainText(
    'You have 2 recovery codes left. Renew them before you need one.',
  );
  await section(page).getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByRole('button', { name: 'Renew codes' }).click();
  const identityDialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(identityDialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.type('not the one');
  await page.keyboard.press('Enter');
  await expect(identityDialog.getByText('This is not your password')).toBeVisible();
  await identityDialog.getByLabel('Password').fill(server.state.password);
  await page.keyboard.press('Enter');
  await expect(codesDialog(page).getByRole('listitem')).toHaveText(RECOVERY_CODES);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section(page)).toContainText('You have 2 recovery codes left.');
  await section(page).getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(section(page)).toContainText('Not set up.');
});

test('a part that could not be loaded says so, and can be tried again', async ({ page }) => {
  await page.route(/\/api\/user\/(second-factor|passkeys)$/, (route) => route.fulfill({ status: 503 }));
  await page.goto('/account');
  await expect(section(page)).toContainText('This part of your account could not be loaded.');
  await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText('could not be loaded');
  await page.unroute(/\/api\/user\/(second-factor|passkeys)$/);
  await section(page).getByRole('button', { name: 'Try again' }).click();
  await expect(section(page)).toContainText('Not set up.');
});
