import type { Browser, Page } from '@playwright/test';
import { fillSignIn, signInAsNewUser, toast, type NewUser } from '../../support/accounts/users.ts';
import { inDatabase } from '../../support/apps/database.ts';
import { openEmail } from '../../support/apps/dev-outbox.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../../support/fixtures.ts';

/** A browser without cookies. */
function elsewhere(browser: Browser): Promise<Page> {
  return browser.newPage({ baseURL: process.env['E2E_BASE_URL'] ?? '' });
}

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** The password was entered long ago. */
async function expireConfirmedIdentity({ email }: NewUser): Promise<void> {
  await inDatabase(
    `update sessions set sess = sess - 'identityConfirmedAt' where owner_id = (select id from users where email = $1)`,
    [email],
  );
}

async function requestChange(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByLabel('New email')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
}

test('a change of the email address needs a confirmed identity, and a link that works once', async ({
  page,
  browser,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/email');
  expectErrorResponse('/api/user/email/confirm');
  expectErrorResponse('/api/session/proof');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const user = await signInAsNewUser(page);
  const newEmail = `new-${user.email}`;
  await page.goto('/account');
  await expireConfirmedIdentity(user);
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
