import type { Browser, Page } from '@playwright/test';
import {
  fillSignIn,
  fillSignUp,
  newUser,
  openMenu,
  signInAsNewUser,
  toast,
  type NewUser,
} from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../../support/fixtures.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'People' }).getByRole('listitem');

/** The username may follow the address. */
const row = (page: Page, { email }: Pick<NewUser, 'email'>) =>
  rows(page).filter({ has: page.getByText(new RegExp(`^${email.replaceAll('.', '\\.')}( ·|$)`)) });

async function openMenuOf(page: Page, user: Pick<NewUser, 'email'>): Promise<void> {
  await row(page, user)
    .getByRole('button', { name: /^Manage/ })
    .click();
}

const item = (page: Page, name: string) => page.getByRole('menuitem', { name });

async function chooseItem(page: Page, user: NewUser, name: string): Promise<void> {
  await openMenuOf(page, user);
  await item(page, name).click();
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: process.env['E2E_BASE_URL']! });
  return context.newPage();
}

/** As an administrator, who is the newest person of the list. */
async function openPeople(page: Page): Promise<NewUser> {
  const keeper = await signInAsNewUser(page, { isAdmin: true });
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('link', { name: 'People' }).click();
  await expect(row(page, keeper)).toContainText('You');
  return keeper;
}

/** Of a link, whose host is not the one that the cookie is for. */
function pathOf(link: string): string {
  const { pathname, search, hash } = new URL(link);
  return pathname + search + hash;
}

async function submitSignIn(page: Page, user: Pick<NewUser, 'email' | 'password'>): Promise<void> {
  await fillSignIn(page, user);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('an administrator invites people, and hands the administration over', async ({
  page,
  browser,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/admin/users');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const keeper = await openPeople(page);
  await expect(page).toHaveTitle('People · Mems Are Forever');
  await expect(row(page, keeper)).toContainText('Administrator');
  await expect(row(page, keeper)).toContainText('0 bytes of 10 GB');
  const other = await newPage(browser);
  const second = { ...newUser(), firstName: 'Oma Ingrid' };

  await test.step('a link for anyone is copied, and registers someone', async () => {
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await expect(page.getByRole('dialog', { name: 'The invitation is ready' })).toBeVisible();
    const link = await page.getByLabel('Invitation link').inputValue();
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(toast(page)).toHaveText('Link Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await page.getByRole('button', { name: 'Done' }).click();
    // Its text is pale while it sinks.
    await expect(toast(page)).toHaveCount(0);
    await expectNoViolations(page);

    await other.goto(pathOf(link));
    await expect(other.getByText('You’re invited.')).toBeVisible();
    await fillSignUp(other, second);
    await other.getByRole('button', { name: 'Create account' }).click();
    await expect(toast(other)).toContainText('Account created!');
    await other.goto('/admin');
    await expect(other.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await expect(other.getByRole('link', { name: 'People' })).toHaveCount(0);
  });

  await test.step('an invitation for an address ends when it is revoked', async () => {
    const { email } = newUser();
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await expect(page.getByText(`Please pass this link on to ${email} yourself.`)).toBeVisible();
    await expectNoViolations(page);
    const link = await page.getByLabel('Invitation link').inputValue();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Invite someone' })).toBeFocused();

    const invited = await newPage(browser);
    await invited.goto(pathOf(link));
    await expect(invited.getByLabel('Email')).toHaveValue(email);
    await expect(invited.getByLabel('Email')).not.toBeEditable();
    await expectNoViolations(invited);
    const revoke = page.getByRole('button', { name: `Revoke the invitation for ${email}` });
    await revoke.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(revoke).toHaveCount(0);
    await invited.reload();
    await expect(invited.getByText('This invitation is no longer valid. Ask for a new one.')).toBeVisible();
    await expect(invited.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await invited.context().close();
  });

  await test.step('the new person becomes the administrator', async () => {
    await page.reload();
    await chooseItem(page, second, 'Make administrator');
    const question = page.getByRole('alertdialog', { name: 'Make Oma Ingrid an administrator?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectNoViolations(page);
    await question.getByRole('button', { name: 'Make administrator' }).click();
    await expect(toast(page)).toHaveText('Oma Ingrid is now an administrator');
    await expect(row(page, second)).toContainText('Administrator');
    await chooseItem(page, keeper, 'Remove as administrator');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
    await other.reload();
    await expect(row(other, second)).toContainText('You');
    await other.context().close();
  });
});

test('an administrator limits, helps, disables and brings back a person', async ({ page, browser }) => {
  const other = await newPage(browser);
  const user = await signInAsNewUser(other);
  await openPeople(page);

  await test.step('a storage limit is set and cleared', async () => {
    const limit = page.getByRole('textbox', { name: 'Limit' });
    await chooseItem(page, user, 'Storage limit');
    await limit.fill('2,5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row(page, user)).toContainText('of 2.5 GB');
    await chooseItem(page, user, 'Storage limit');
    await expect(limit).toHaveValue('2.5');
    await limit.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(row(page, user)).toContainText('of 10 GB');
  });

  const password = 'muddy boots again';
  await test.step('a link sets a new password', async () => {
    await chooseItem(page, user, 'New password link');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('textbox', { name: 'New password link' }).inputValue();
    await page.keyboard.press('Escape');
    await other.goto(pathOf(link));
    await other.getByLabel('New password').fill(password);
    await other.getByRole('button', { name: 'Save password' }).click();
    await other.getByRole('link', { name: 'Sign In' }).click();
    await submitSignIn(other, { ...user, password });
    await expect(toast(other)).toContainText('Welcome back!');
  });

  await test.step('a disabled account lands on sign-in with the reason, until it is enabled', async () => {
    const isStreaming = other.waitForResponse('**/api/events');
    await other.goto('/gallery');
    await isStreaming;
    await chooseItem(page, user, 'Disable account');
    const question = page.getByRole('alertdialog', { name: 'Disable Mara?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(row(page, user)).not.toContainText('Disabled');
    await chooseItem(page, user, 'Disable account');
    await question.getByRole('button', { name: 'Disable' }).click();
    await expect(row(page, user)).toContainText('Disabled');

    await expect(other).toHaveURL('/auth?ended=disabled');
    const reason = other.getByText('This account is disabled. Ask the person who runs this album.');
    await expect(reason).toBeVisible();
    await other.goto('/auth');
    await submitSignIn(other, { ...user, password });
    await expect(reason.first()).toBeVisible();

    await chooseItem(page, user, 'Enable account');
    await expect(toast(page)).toHaveText('Mara can sign in again');
    await other.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(toast(other)).toContainText('Welcome back!');
    await other.context().close();
  });

  await test.step('an account falls asleep after its username was typed, and is brought back', async () => {
    await chooseItem(page, user, 'Delete account');
    const dialog = page.getByRole('dialog', { name: 'Delete Mara’s account?' });
    await dialog.getByLabel('Username').fill(user.username);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row(page, user)).toContainText('Asleep until');
    await chooseItem(page, user, 'Bring account back');
    await expect(toast(page)).toHaveText('Mara’s account is back');
    await expect(row(page, user)).not.toContainText('Asleep until');
  });
});
