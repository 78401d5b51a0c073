import type { Page } from '@playwright/test';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../../support/fixtures.ts';
import { inDatabase } from '../../support/apps/database.ts';
import { addMemories } from '../../support/screens/gallery.ts';
import { fillSignIn, signInAsNewUser, type NewUser } from '../../support/accounts/users.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your account?' });

async function openDialog(page: Page): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog(page)).toBeVisible();
}

async function confirm(page: Page, username: string): Promise<void> {
  await dialog(page).getByLabel('Username').fill(username);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
}

async function submitSignIn(page: Page, user: NewUser): Promise<void> {
  await fillSignIn(page, user);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('an account falls asleep, comes back with a sign-in, and is gone 14 days after it was deleted again', async ({
  page,
  browser,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/');
  const user = await signInAsNewUser(page);
  await addMemories(page, ['First snow']);
  const elsewhere = await browser.newPage({ baseURL: process.env['E2E_BASE_URL'] ?? '' });
  await elsewhere.request.post('/api/login', { data: user });
  const isStreaming = elsewhere.waitForResponse('**/api/events');
  await elsewhere.goto('/gallery');
  await isStreaming;

  await openDialog(page);
  await expectNoViolations(page);
  await confirm(page, 'someone');
  await expect(dialog(page).getByText('This is not your username')).toBeVisible();
  await confirm(page, user.username);
  for (const each of [page, elsewhere]) {
    await expect(each).toHaveURL('/auth?ended=asleep');
    await expect(each.getByText('This album is asleep now.')).toBeVisible();
  }
  await expectNoViolations(page);
  await elsewhere.close();

  await submitSignIn(page, user);
  const notice = page.getByText('Welcome back. Your album is safe.');
  await expect(notice).toBeVisible();
  await expect(page.getByText('First snow').first()).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('First snow').first()).toBeVisible();
  await expect(notice).toHaveCount(0);

  // The password was entered long ago.
  await inDatabase(
    `update sessions set sess = sess - 'identityConfirmedAt'
       where owner_id = (select id from users where email = $1)`,
    [user.email],
  );
  await openDialog(page);
  await confirm(page, user.username);
  const identityDialog = page.getByRole('dialog', { name: 'Is it you?' });
  await identityDialog.getByLabel('Password').fill(user.password);
  await identityDialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/auth?ended=asleep');

  // Two weeks pass.
  await inDatabase(
    `update users set deletion_due_at = now() - interval '1 minute',
         deletion_warned_at = now() - interval '2 days'
       where email = $1`,
    [user.email],
  );
  await inDatabase(`insert into pgboss.job (name, data) values ('purge-asleep-users', '{}')`);
  await expect
    .poll(() => inDatabase('select from users where email = $1', [user.email]), { timeout: 30_000 })
    .toBe(0);
  await submitSignIn(page, user);
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid email or password' })).toBeVisible();
});
