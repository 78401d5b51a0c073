import type { Page } from '@playwright/test';
import type { AdminUser } from '#shared/accounts/admin';
import type { FakeServer } from '../../../client/src/testing/fake-server/fake-server.ts';
import { emptyState, idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../fixtures.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'People' }).getByRole('listitem');
const item = (page: Page, name: string) => page.getByRole('menuitem', { name });
const menuButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Manage ${name}`, exact: true });

test.beforeEach(({ server }) => void (server.state.user.isAdmin = true));

function addPeople({ state }: FakeServer, count: number, details: Partial<AdminUser> = {}): void {
  const [owner] = emptyState().people;
  const people = Array.from({ length: count }, (_, index) => ({
    ...owner!,
    id: idOf(2000 + index),
    username: `guest${index + 1}`,
    email: `guest${index + 1}@mems.example`,
    isAdmin: false,
    isLastAdmin: false,
    ...details,
  }));
  state.people = [...people, ...state.people];
}

test('the last administrator stays one', async ({ page }) => {
  await page.goto('/admin');
  await menuButton(page, 'ada').click();
  await expect(page.getByText('Make someone else an administrator first.')).toBeVisible();
  for (const name of ['Remove as administrator', 'Disable account', 'Delete account']) {
    await expect(item(page, name)).toHaveAttribute('aria-disabled', 'true');
    await item(page, name).click({ force: true });
    await expect(item(page, name)).toHaveAccessibleDescription('Make someone else an administrator first.');
  }
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('administrators see when the last backup was made', async ({ page, server }) => {
  server.state.backup = { lastBackupAt: server.state.now, ageHours: 0, failure: null };
  await page.goto('/admin');
  await expect(page.getByText('Last backup: today.')).toBeVisible();
});

test('of many people the rest is shown on demand, and a search finds each', async ({ page, server }) => {
  addPeople(server, 100);
  await page.goto('/admin');
  await expect(rows(page)).toHaveCount(100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows(page)).toHaveCount(101);
  await expect(rows(page).last()).toBeFocused();
  await expect(rows(page).last()).toContainText('You');
  await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);
  const search = page.getByRole('searchbox', { name: 'Search by username or email' });
  await search.fill('ada');
  await expect(rows(page)).toHaveCount(1);
  await search.fill('nobody at all');
  await expect(page.getByText('No one has a username or email like that.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(rows(page)).toHaveCount(101);
  await expect(search).toBeFocused();
});

test('who has not verified the address has a badge, and cannot become an administrator', async ({
  page,
  server,
}) => {
  addPeople(server, 1, { emailVerified: false });
  // Only with a real mail server are links emailed.
  await page.route('**/password-reset', (route) => route.fulfill({ json: { url: null } }));
  await page.goto('/admin');
  await expect(rows(page).first()).toContainText('Email not verified');
  await menuButton(page, 'guest1').click();
  await expect(item(page, 'Make administrator')).toHaveAttribute('aria-disabled', 'true');
  await expect(item(page, 'Make administrator')).toHaveAccessibleDescription(
    'Their email address is not verified yet.',
  );
  await item(page, 'New password link').click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText('We have emailed the link to guest1@mems.example.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Done' })).toBeFocused();
  await expectNoViolations(page);
});

test('wrong storage limits and usernames are explained at their fields', async ({ page, server }) => {
  addPeople(server, 1);
  await page.goto('/admin');
  await menuButton(page, 'guest1').click();
  await item(page, 'Storage limit').click();
  await page.getByRole('textbox', { name: 'Limit' }).fill('a lot');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Please enter a number of GB, like 5 or 0.5')).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await menuButton(page, 'guest1').click();
  await item(page, 'Delete account').click();
  const dialog = page.getByRole('dialog', { name: 'Delete guest1’s account?' });
  await dialog.getByLabel('Username').fill('guest');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('This is not the username of this account')).toBeVisible();
  await expectNoViolations(page);
});

test('the keyboard alone manages a person, and the focus returns', async ({ page, server }) => {
  addPeople(server, 1);
  await page.goto('/admin');
  const { keyboard } = page;
  const manage = menuButton(page, 'guest1');
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
  await expect(rows(page).first()).toContainText('of 3 GB');
  await choose('Disable');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(rows(page).first()).toContainText('Disabled');
  await choose('New');
  await expect(page.getByRole('dialog', { name: 'New password link' })).toBeVisible();
  await keyboard.press('Escape');
  await choose('Delete');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeFocused();
  await keyboard.type('guest1');
  await keyboard.press('Enter');
  await expect(rows(page).first()).toContainText('Asleep until');
  await expect(manage).toBeFocused();
  await keyboard.press('Enter');
  await expect(item(page, 'Make administrator')).toHaveAccessibleDescription(
    'Their account is asleep. Bring it back first.',
  );
});

test('a failed load is explained and can be repeated', async ({ page }) => {
  let reaction: 'hold' | 'abort' | 'continue' = 'hold';
  await page.route('**/api/admin/**', (route) => (reaction === 'hold' ? undefined : route[reaction]()));
  await page.goto('/admin');
  await expect(page.getByRole('status', { name: 'Loading the people' })).toBeVisible();
  await expectNoViolations(page);
  reaction = 'abort';
  await page.reload();
  await expect(page.getByText('The people could not be loaded.')).toBeVisible();
  await expect(page.getByText('The open invitations could not be loaded.')).toBeVisible();
  reaction = 'continue';
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(rows(page).first()).toBeVisible();
});

test('an invitation that could not be loaded is opened by a second try', async ({ page, server }) => {
  const { state } = server;
  const url = `${state.origin}/auth?invite=token`;
  const invitation = { id: idOf(3000), email: null, url, createdBy: 'ada', createdAt: state.now };
  state.invitations.push({ ...invitation, expiresAt: state.now });
  state.isSignedIn = false;
  await page.route('**/api/invitations/*', (route) => route.abort(), { times: 1 });
  await page.goto('/auth?invite=token');
  await expect(page.getByText('Your invitation could not be opened.')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('You’re invited.')).toBeVisible();
  await expectNoViolations(page);
});

for (const [registration, text] of [
  ['invite', 'This album is by invitation.'],
  ['closed', 'This album takes no new members right now.'],
] as const) {
  test(`strangers learn what they need when the registration is ${registration}`, async ({
    page,
    server,
  }) => {
    server.state.isSignedIn = false;
    server.state.config.registration = registration;
    await page.goto('/');
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Get Started' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Create Your Account' })).toHaveCount(0);
    await expectNoViolations(page);
    await page.getByRole('link', { name: 'Sign In' }).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByRole('tab')).toHaveCount(0);
    await expectNoViolations(page);
  });
}
