import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import pg from 'pg';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { createAppFolder, removeAppFolder, startAndWait, type AppFolder } from './lifecycle-app.ts';
import { getDatabaseConfig } from './database.ts';
import {
  administrator,
  fillSignIn,
  fillSignUp,
  newUser,
  openMenu,
  registerUser,
  signIn,
  toast,
  type NewUser,
} from './users.ts';

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

async function newPage(browser: Browser, baseURL = process.env['E2E_BASE_URL'] ?? ''): Promise<Page> {
  const context = await browser.newContext({ baseURL });
  return context.newPage();
}

/** Registers in another browser. */
async function registerOther(browser: Browser): Promise<{ user: NewUser; other: Page }> {
  const other = await newPage(browser);
  return { user: await registerUser(other), other };
}

async function openPeople(page: Page): Promise<void> {
  await signIn(page, administrator);
  await page.goto('/admin');
  await expect(rows(page).first()).toBeVisible();
}

/** A new account: the list begins with the newest ones. */
async function findNewPerson(page: Page, user: NewUser): Promise<void> {
  await openPeople(page);
  await expect(row(page, user)).toBeVisible();
}

async function submitSignIn(page: Page, user: Pick<NewUser, 'email' | 'password'>): Promise<void> {
  await fillSignIn(page, user);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test.describe('of an own installation', () => {
  let folder: AppFolder;
  test.beforeEach(() => void (folder = createAppFolder()));
  test.afterEach(() => removeAppFolder(folder));

  async function stop(app: Awaited<ReturnType<typeof startAndWait>>): Promise<void> {
    app.npm.kill('SIGTERM');
    await app.ended;
  }

  async function addUsers(count: number): Promise<void> {
    const database = new pg.Client(await getDatabaseConfig(folder.dataDir));
    await database.connect();
    await database.query(
      `insert into users (id, username, email, password_hash)
       select gen_random_uuid(), 'guest' || n, 'guest' || n || '@example.com', '' from generate_series(1, $1) n`,
      [count],
    );
    await database.end();
  }

  test(
    'the first account is the administrator, and invites someone who registers elsewhere',
    { tag: '@phone' },
    async ({ page, browser, context, expectErrorResponse }) => {
      expectErrorResponse('/api/admin/users');
      const app = await startAndWait(folder);
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(app.address);
      await page.getByRole('link', { name: 'Get Started' }).click();
      const first = newUser();
      await fillSignUp(page, first);
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(toast(page)).toContainText('Account created!');
      await openMenu(page);
      await page.getByRole('link', { name: 'People' }).click();
      await expect(page).toHaveTitle('People · Mems Are Forever');
      await expect(row(page, first)).toContainText('You');
      await expect(row(page, first)).toContainText('Administrator');
      await expect(row(page, first)).toContainText('Seen today');
      await expect(row(page, first)).toContainText('0 bytes of 10 GB');
      await expect(page.getByRole('heading', { name: 'Just you so far' })).toBeVisible();

      await openMenuOf(page, first);
      await expect(page.getByText('Make someone else an administrator first.')).toBeVisible();
      await expectNoViolations(page);
      for (const name of ['Remove as administrator', 'Disable account', 'Delete account']) {
        await expect(item(page, name)).toHaveAttribute('aria-disabled', 'true');
        await item(page, name).click({ force: true });
        await expect(item(page, name)).toHaveAccessibleDescription(
          'Make someone else an administrator first.',
        );
      }
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Invite the first one' }).click();
      await page.getByRole('button', { name: 'Create invitation' }).click();
      await expect(page.getByRole('dialog', { name: 'The invitation is ready' })).toBeVisible();
      const link = await page.getByLabel('Invitation link').inputValue();
      await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused();
      await page.getByRole('button', { name: 'Copy link' }).click();
      await expect(toast(page)).toHaveText('Link Copied!');
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
      await page.getByRole('button', { name: 'Done' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Anyone with the link' })).toBeVisible();
      await expectNoViolations(page);

      const other = await newPage(browser, app.address);
      await other.goto(link);
      await expect(other.getByText('You’re invited.')).toBeVisible();
      await expectNoViolations(other);
      const second = { ...newUser(), firstName: 'Oma Ingrid' };
      await fillSignUp(other, second);
      await other.getByRole('button', { name: 'Create account' }).click();
      await expect(toast(other)).toContainText('Account created!');
      await other.goto('/admin');
      await expect(other.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
      await expect(other.getByRole('link', { name: 'People' })).toHaveCount(0);

      await page.reload();
      await expect(row(page, second)).toContainText('Oma Ingrid');
      await expect(row(page, first)).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Open invitations' })).toHaveCount(0);

      await chooseItem(page, second, 'Make administrator');
      const question = page.getByRole('alertdialog', { name: 'Make Oma Ingrid an administrator?' });
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await expectNoViolations(page);
      await question.getByRole('button', { name: 'Make administrator' }).click();
      await expect(toast(page)).toHaveText('Oma Ingrid is now an administrator');
      await expect(row(page, second)).toContainText('Administrator');
      await chooseItem(page, first, 'Remove as administrator');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop' }).click();
      await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
      await other.reload();
      await expect(row(other, second)).toContainText('You');
      await other.context().close();
      // An open page would ask the stopped app whether its session has ended.
      await page.goto('about:blank');
      await stop(app);
    },
  );

  test('administrators see when the last backup was made', async ({ page }) => {
    const app = await startAndWait(folder, { BACKUP_DIR: join(folder.folder, 'backups') });
    await page.goto(app.address);
    await page.getByRole('link', { name: 'Get Started' }).click();
    await fillSignUp(page, newUser());
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(toast(page)).toContainText('Account created!');
    await expect(async () => {
      await page.goto(`${app.address}/admin`);
      await expect(page.getByText('Last backup: today.')).toBeVisible();
    }).toPass();
    await expectNoViolations(page);
    // An open page would ask the stopped app whether its session has ended.
    await page.goto('about:blank');
    await stop(app);
  });

  test('strangers learn that they need an invitation, or that there are no new accounts', async ({
    page,
    browser,
    expectErrorResponse,
  }) => {
    expectErrorResponse('/api/register');
    const person = newUser();
    const app = await startAndWait(folder, { REGISTRATION: 'invite', ADMIN_EMAIL: person.email });
    // As through a proxy: at this machine the first account can be created without an invitation.
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.7' });
    await page.goto(app.address);
    await expect(page.getByText('This album is by invitation.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Started' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Create Your Account' })).toHaveCount(0);
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Sign In' }).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await expect(page.getByText('This album is by invitation.')).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(0);
    await expectNoViolations(page);

    const link = /http\S+\/auth\?invite=\S+/.exec(app.output())?.[0] ?? '';
    const invited = await newPage(browser, app.address);
    await invited.goto(link);
    await expect(invited.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
    await expect(invited.getByLabel('Email')).toHaveValue(person.email);
    await expect(invited.getByLabel('Email')).not.toBeEditable();
    await invited.getByLabel('First name').fill(person.firstName);
    await invited.getByLabel('Username').fill(person.username);
    await invited.getByLabel('Password').fill(person.password);
    await invited.getByRole('button', { name: 'Create account' }).click();
    await expect(toast(invited)).toContainText('Account created!');
    await invited.context().close();
    await stop(app);

    const closed = await startAndWait(folder, { REGISTRATION: 'closed' });
    await page.goto(closed.address);
    await expect(page.getByText('This album takes no new members right now.')).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Sign In' }).click();
    await expect(page.getByText('This album takes no new members right now.')).toBeVisible();
    await expectNoViolations(page);
    await submitSignIn(page, person);
    await expect(toast(page)).toContainText('Welcome back!');
    // Home is still loading, which would fail.
    await page.goto('about:blank');
    await stop(closed);
  });

  test('of many people the rest is shown on demand, and a search finds each', async ({ page }) => {
    const app = await startAndWait(folder);
    const first = newUser();
    const registered = await page.request.post(`${app.address}/api/register`, { data: first });
    expect(registered.status()).toBe(201);
    await addUsers(100);
    await page.goto(`${app.address}/admin`);
    await expect(rows(page)).toHaveCount(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(rows(page)).toHaveCount(101);
    await expect(rows(page).last()).toBeFocused();
    await expect(rows(page).last()).toContainText('You');
    await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
    const search = page.getByRole('searchbox', { name: 'Search by username or email' });
    await search.fill(first.username);
    await expect(rows(page)).toHaveCount(1);
    await search.fill('nobody at all');
    await expect(page.getByText('No one has a username or email like that.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(rows(page)).toHaveCount(101);
    await expect(search).toBeFocused();
    // The page may be refetching something, which would fail.
    await page.goto('about:blank');
    await stop(app);
  });
});

test('a disabled account lands on sign-in with the reason, until it is enabled', async ({
  page,
  browser,
}) => {
  const { user, other } = await registerOther(browser);
  const isStreaming = other.waitForResponse('**/api/events');
  await other.goto('/gallery');
  await isStreaming;
  await findNewPerson(page, user);
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
  await submitSignIn(other, user);
  await expect(reason.first()).toBeVisible();

  await chooseItem(page, user, 'Enable account');
  await expect(toast(page)).toHaveText('Mara can sign in again');
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(other)).toContainText('Welcome back!');
  await other.context().close();
});

test('a link of the administrator sets a new password', async ({ page, browser }) => {
  const { user, other } = await registerOther(browser);
  await findNewPerson(page, user);
  await chooseItem(page, user, 'New password link');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('textbox', { name: 'New password link' }).inputValue();
  await other.goto(link);
  await other.getByLabel('New password').fill('muddy boots again');
  await other.getByRole('button', { name: 'Save password' }).click();
  await other.getByRole('link', { name: 'Sign In' }).click();
  await submitSignIn(other, { ...user, password: 'muddy boots again' });
  await expect(toast(other)).toContainText('Welcome back!');
  await other.context().close();
});

test('who has not confirmed the address has a badge, and cannot become an administrator', async ({
  page,
  browser,
}) => {
  const { user, other } = await registerOther(browser);
  await other.context().close();
  // Only with a real mail server are there unverified addresses, and emailed links.
  await page.route(
    '**/api/admin/users?*',
    async (route) => {
      const response = await route.fetch();
      const people = (await response.json()) as { username: string }[];
      const json = people.map((person) => ({ ...person, emailVerified: person.username !== user.username }));
      await route.fulfill({ response, json });
    },
    { times: 10 },
  );
  await page.route('**/password-reset', (route) => route.fulfill({ json: { url: null } }));
  await findNewPerson(page, user);
  await expect(row(page, user)).toContainText('Email not confirmed');
  await expectNoViolations(page);
  await openMenuOf(page, user);
  await expect(item(page, 'Make administrator')).toHaveAttribute('aria-disabled', 'true');
  await expect(item(page, 'Make administrator')).toHaveAccessibleDescription(
    'Their email address is not confirmed yet.',
  );
  await item(page, 'New password link').click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText(`We have emailed the link to ${user.email}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused();
  await expectNoViolations(page);
});

test('a storage limit is set and cleared', async ({ page, browser }) => {
  const { user, other } = await registerOther(browser);
  await other.context().close();
  await findNewPerson(page, user);
  const limit = page.getByRole('textbox', { name: 'Limit' });
  await chooseItem(page, user, 'Storage limit');
  await limit.fill('a lot');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a number of GB, like 5 or 0.5')).toBeVisible();
  await expectNoViolations(page);
  await limit.fill('2,5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, user)).toContainText('of 2.5 GB');
  await chooseItem(page, user, 'Storage limit');
  await expect(limit).toHaveValue('2.5');
  await limit.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row(page, user)).toContainText('of 10 GB');
});

test('an account falls asleep after its username was typed, and is brought back', async ({
  page,
  browser,
}) => {
  const { user, other } = await registerOther(browser);
  await other.context().close();
  await findNewPerson(page, user);
  await chooseItem(page, user, 'Delete account');
  const dialog = page.getByRole('dialog', { name: 'Delete Mara’s account?' });
  await dialog.getByLabel('Username').fill('mara');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('This is not the username of this account')).toBeVisible();
  await dialog.getByLabel('Username').fill(user.username);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, user)).toContainText('Asleep until');
  await expectNoViolations(page);
  await openMenuOf(page, user);
  await expect(item(page, 'Make administrator')).toHaveAccessibleDescription(
    'Their account is asleep. Bring it back first.',
  );
  await item(page, 'Bring account back').click();
  await expect(toast(page)).toHaveText('Mara’s account is back');
  await expect(row(page, user)).not.toContainText('Asleep until');
});

test('an invitation for an address registers only that one, and ends when revoked', async ({
  page,
  browser,
}) => {
  await openPeople(page);
  const { email } = newUser();
  const create = async (address: string) => {
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(address);
    await page.getByRole('button', { name: 'Create invitation' }).click();
  };
  await create('not an address');
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Create invitation' }).click();
  await expect(page.getByText(`Please pass this link on to ${email} yourself.`)).toBeVisible();
  await expectNoViolations(page);
  const link = await page.getByLabel('Invitation link').inputValue();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Invite someone' })).toBeFocused();

  const other = await newPage(browser);
  await other.goto(link);
  await expect(other.getByLabel('Email')).toHaveValue(email);
  await expect(other.getByLabel('Email')).not.toBeEditable();
  await expectNoViolations(other);
  await page.getByRole('button', { name: `Revoke the invitation for ${email}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: `Revoke the invitation for ${email}` })).toHaveCount(0);
  await other.reload();
  await expect(other.getByText('This invitation is no longer valid. Ask for a new one.')).toBeVisible();
  await expect(other.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await other.context().close();
});

test('an invitation that could not be loaded is opened by a second try', async ({
  page,
  browser,
  expectErrorResponse,
}) => {
  const keeper = await newPage(browser);
  await signIn(keeper, administrator);
  const created = await keeper.request.post('/api/admin/invites', { data: {} });
  const { pathname, search } = new URL(((await created.json()) as { url: string }).url);
  await keeper.context().close();
  expectErrorResponse('/api/invites/');
  await page.route('**/api/invites/*', (route) => route.abort(), { times: 1 });
  await page.goto(`${pathname}${search}`);
  await expect(page.getByText('Your invitation could not be opened.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You’re invited.')).toBeVisible();
});

test('the keyboard alone manages a person, and the focus returns', async ({ page, browser }) => {
  const { user, other } = await registerOther(browser);
  await other.context().close();
  await findNewPerson(page, user);
  const { keyboard } = page;
  const manage = row(page, user).getByRole('button', { name: /^Manage/ });
  const choose = async (name: string) => {
    await expect(manage).toBeFocused();
    await keyboard.press('Enter');
    await expect(item(page, 'New password link')).toBeFocused();
    await keyboard.type(name);
    await expect(page.getByRole('menuitem', { name: new RegExp(`^${name}`) })).toBeFocused();
    await keyboard.press('Enter');
  };
  await manage.focus();
  // Loads the menu's code, which sees the keys that follow.
  await keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeVisible();
  await keyboard.press('Escape');
  await choose('Storage');
  await expect(page.getByRole('textbox', { name: 'Limit' })).toBeFocused();
  await keyboard.type('3');
  await keyboard.press('Enter');
  await expect(row(page, user)).toContainText('of 3 GB');
  await choose('Disable');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(row(page, user)).toContainText('Disabled');
  await choose('New');
  await expect(page.getByRole('dialog', { name: 'New password link' })).toBeVisible();
  await keyboard.press('Escape');
  await choose('Delete');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();
  await keyboard.type(user.username);
  await keyboard.press('Enter');
  await expect(row(page, user)).toContainText('Asleep until');
  await expect(manage).toBeFocused();
});

test('a failed load is explained and can be repeated', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/admin/users');
  expectErrorResponse('/api/admin/invites');
  expectErrorResponse('/api/admin/backup');
  await signIn(page, administrator);
  let answer: 'hold' | 'abort' | 'continue' = 'hold';
  await page.route('**/api/admin/**', (route) => (answer === 'hold' ? undefined : route[answer]()));
  await page.goto('/admin');
  await expect(page.getByRole('status', { name: 'Loading the people' })).toBeVisible();
  await expectNoViolations(page);
  answer = 'abort';
  await page.reload();
  await expect(page.getByText('The people could not be loaded.')).toBeVisible();
  await expect(page.getByText('The open invitations could not be loaded.')).toBeVisible();
  await expectNoViolations(page);
  answer = 'continue';
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(rows(page).first()).toBeVisible();
});
