import type { Browser, Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { inDatabase } from './database.ts';
import { openEmail } from './dev-outbox.ts';
import { expect, test } from './fixtures.ts';
import { newPhoneNumber, verifyPhoneNumber } from './phone-numbers.ts';
import { fillSignIn, registerUser, toast, type NewUser } from './users.ts';

/** A browser without cookies. */
function elsewhere(browser: Browser): Promise<Page> {
  return browser.newPage({ baseURL: process.env['E2E_BASE_URL'] ?? '' });
}

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** The password was entered long ago. */
async function expireProof({ email }: NewUser): Promise<void> {
  await inDatabase(
    `update sessions set sess = sess - 'provenAt' where owner_id = (select id from users where email = $1)`,
    [email],
  );
}

async function requestChange(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByLabel('New email')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
}

test('the account page has its groups, and a form for a new address without violations of axe', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await registerUser(page);
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
  await expect(group(page, 'Recent activity').getByText('You created this account')).toBeVisible();
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expectNoViolations(page);
});

test('devices and activity that fail to load can be tried again', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/sessions');
  expectErrorResponse('/api/user/activity');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await registerUser(page);
  let answer: 'hold' | 'abort' | 'pass' = 'hold';
  const held: (() => Promise<void>)[] = [];
  for (const path of ['**/api/sessions', '**/api/user/activity'])
    await page.route(path, (route) => {
      if (answer === 'hold') held.push(() => route.abort());
      else if (answer === 'abort') return route.abort();
      else return route.fallback();
    });
  await page.goto('/account');
  await expect(page.getByRole('status', { name: 'Loading your devices' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading your recent activity' })).toBeVisible();
  await expectNoViolations(page);
  answer = 'abort';
  for (const fail of held) await fail();
  await expect(page.getByText('Your devices could not be loaded.')).toBeVisible();
  await expect(page.getByText('Your recent activity could not be loaded.')).toBeVisible();
  await expectNoViolations(page);
  answer = 'pass';
  for (const name of ['Devices', 'Recent activity'])
    await group(page, name).getByRole('button', { name: 'Try again' }).click();
  await expect(group(page, 'Devices').getByText('This device')).toBeVisible();
  await expect(group(page, 'Recent activity').getByText('You created this account')).toBeVisible();
});

test('a change of the email address needs a recent proof, and a link that works once', async ({
  page,
  browser,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/email');
  expectErrorResponse('/api/user/email/confirm');
  expectErrorResponse('/api/session/proof');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const user = await registerUser(page);
  const newEmail = `new-${user.email}`;
  await page.goto('/account');
  await expireProof(user);
  await requestChange(page, newEmail);

  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(toast(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Send link' }).press('Enter');
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.type('not the one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not your password')).toBeVisible();
  await expectNoViolations(page);
  await dialog.getByLabel('Password').fill(user.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Please confirm ${newEmail}.`)).toBeVisible();

  const outbox = await context.newPage();
  const link = (await openEmail(outbox, newEmail, 'Confirm your new email address'))('confirm-email');
  const stranger = await elsewhere(browser);
  await stranger.goto(link);
  await expect(stranger.getByText('Please sign in first')).toBeVisible();
  await expectNoViolations(stranger);
  await fillSignIn(stranger, user);
  await stranger.keyboard.press('Enter');
  await expect(heading(stranger, 'Confirm your new address')).toBeFocused();
  await expectNoViolations(stranger);
  await stranger.close();
  const { pathname, hash } = new URL(link);
  await page.goto(pathname + hash);
  await page.getByRole('button', { name: 'Confirm my new address' }).press('Enter');
  await expect(heading(page, 'Your email address is changed')).toBeFocused();
  await expect(page.getByText(`You sign in with ${newEmail} from now on.`)).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Confirm my new address' }).press('Enter');
  await expect(heading(page, 'This link no longer works')).toBeFocused();
  await page.getByRole('link', { name: 'Open your account' }).click();
  await expect(group(page, 'Recent activity').getByText('Email address changed')).toBeVisible();
});

test('a new address can be given up before it is confirmed', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/user/email');
  const user = await registerUser(page);
  const other = await registerUser(
    await page
      .context()
      .browser()!
      .newPage({ baseURL: process.env['E2E_BASE_URL'] ?? '' }),
  );
  await page.goto('/account');
  await requestChange(page, other.email);
  await expect(page.getByText('An account with this email address already exists')).toBeVisible();
  await page.getByLabel('New email').fill(`new-${user.email}`);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Please confirm new-${user.email}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Keep the old address' }).press('Enter');
  await expect(page.getByText(`Please confirm new-${user.email}.`)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible();
});

test('a phone number is removed after the password is entered again', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/sms/number');
  const user = await registerUser(page);
  await verifyPhoneNumber(page, newPhoneNumber().e164);
  await expireProof(user);
  await page.goto('/phone-verification');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('dialog', { name: 'Is it you?' })).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Phone number removed');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
