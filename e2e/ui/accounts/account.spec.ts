import type { Page } from '@playwright/test';
import { RECOVERY_CODES } from '../../../client/src/testing/fake-server/routes/user-routes.ts';
import { fullState } from '../../../client/src/testing/fake-server/state/full-state.ts';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../fixtures.ts';

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const identityDialog = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });

test('the account page has its groups', async ({ page }) => {
  await page.goto('/account');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Who you are',
    'How you sign in',
    'Where you are signed in',
    'What happened',
    'Shared links',
    'Yours to keep',
    'Leaving',
  ]);
});

test('devices and activity that fail to load can be tried again', async ({ page, server }) => {
  server.state = fullState();
  let reaction: 'hold' | 'abort' | 'pass' = 'hold';
  const held: (() => Promise<void>)[] = [];
  for (const path of ['**/api/sessions', '**/api/user/activity'])
    await page.route(path, (route) => {
      if (reaction === 'hold') held.push(() => route.abort());
      else if (reaction === 'abort') return route.abort();
      else return route.fallback();
    });
  await page.goto('/account');
  await expect(page.getByRole('status', { name: 'Loading your devices' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading your recent activity' })).toBeVisible();
  await expectNoViolations(page);
  reaction = 'abort';
  for (const fail of held) await fail();
  await expect(page.getByText('Your devices could not be loaded.')).toBeVisible();
  await expect(page.getByText('Your recent activity could not be loaded.')).toBeVisible();
  reaction = 'pass';
  for (const name of ['Devices', 'Recent activity'])
    await group(page, name).getByRole('button', { name: 'Try again' }).click();
  await expect(group(page, 'Devices').getByText('This device')).toBeVisible();
  await expect(group(page, 'Recent activity').getByRole('listitem')).toHaveCount(3);
});

test('a new address can be given up before it is confirmed', async ({ page, server }) => {
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByLabel('New email')).toBeFocused();
  await page.keyboard.type(server.state.user.email);
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is your email address already')).toBeVisible();
  await page.getByLabel('New email').fill('new@mems.example');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please confirm new@mems.example.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep the old address' }).press('Enter');
  await expect(page.getByText('Please confirm new@mems.example.')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible();
});

test('a phone number is removed after the password is entered again', async ({ page, server }) => {
  server.state = fullState({ isIdentityUnconfirmed: true });
  await page.goto('/phone-verification');
  const remove = page.getByRole('alertdialog').getByRole('button', { name: 'Remove' });
  await page.getByRole('button', { name: 'Remove number' }).click();
  await remove.click();
  await expect(identityDialog(page).getByLabel('Password')).toBeFocused();
  // Radix focuses the field before the dialog is the highest layer, the one that Escape closes.
  await expect(identityDialog(page)).toHaveCSS('pointer-events', 'auto');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await remove.click();
  await expect(identityDialog(page).getByLabel('Password')).toBeFocused();
  await page.keyboard.type(server.state.password);
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Phone number removed');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('with an authenticator app the deletion needs a code, too', async ({ page, server }) => {
  server.state.secondFactor = { totpSince: server.state.now, recoveryCodesLeft: 2 };
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const code = dialog.getByLabel('Code');
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  await expect(code).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByLabel('Username').fill(server.state.user.username);
  await confirm.click();
  await expect(dialog.getByText('Please enter your code')).toBeVisible();
  await code.fill('aaaa-bbbb-cccc');
  await confirm.click();
  await expect(dialog.getByText('This is not one of your recovery codes.')).toBeVisible();
  await code.fill(RECOVERY_CODES[0]!);
  await confirm.click();
  await expect(page).toHaveURL('/auth?ended=asleep');
});
