import type { Browser, Locator, Page, Route } from '@playwright/test';
import { expectNoViolations } from '../../support/axe.ts';
import { createAccountToken } from '../../support/accounts/account-token.ts';
import { expect, test } from '../../support/fixtures.ts';
import { cardMenu, chooseAction, moreActions } from '../../support/screens/memory-cards.ts';
import { openEmail } from '../../support/apps/dev-outbox.ts';
import {
  fillSignIn,
  newUser,
  openMenu,
  signInAsNewUser,
  toast,
  type NewUser,
} from '../../support/accounts/users.ts';
import { createMemory, smallPhoto } from '../../support/screens/photos.ts';

/** A browser without cookies. */
function elsewhere(browser: Browser): Promise<Page> {
  return browser.newPage({ baseURL: process.env['E2E_BASE_URL'] ?? '' });
}

async function logIn(page: Page, { email, password }: NewUser): Promise<void> {
  const response = await page.request.post('/api/login', { data: { email, password } });
  expect(response.status()).toBe(200);
}

async function isSignedIn(page: Page): Promise<boolean> {
  return (await page.request.get('/api/user')).status() === 200;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test(
  'a forgotten password is reset by an emailed link, which works once and ends every session',
  { tag: '@quick' },
  async ({ page, browser, context, expectErrorResponse }) => {
    expectErrorResponse('/api/password/reset');
    expectErrorResponse('/api/password/reset/preview');
    const other = await elsewhere(browser);
    const person = await signInAsNewUser(other);
    await page.goto('/auth');
    await page.getByLabel('Email').fill(`unknown-${person.email}`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page).toHaveTitle('Forgot password · Mems Are Forever');
    await expect(page.getByLabel('Email')).toHaveValue(`unknown-${person.email}`);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(heading(page, 'Check your inbox')).toBeFocused();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText(`If there is an account with ${person.email}`)).toBeVisible();

    const outbox = await context.newPage();
    const link = (await openEmail(outbox, person.email, 'Choose a new password'))('reset-password');
    await page.goto(link);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
    await page.getByLabel('New password').fill('muddy paw prints');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(heading(page, 'Your password is changed')).toBeFocused();
    expect(await isSignedIn(other)).toBe(false);
    await other.close();
    await page.getByRole('link', { name: 'Sign In' }).click();
    await fillSignIn(page, { ...person, password: 'muddy paw prints' });
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Add Mems' })).toBeVisible();

    await page.goto(link);
    await page.getByLabel('New password').fill('stolen paw prints');
    await page.getByRole('button', { name: 'Save password' }).click();
    await expect(heading(page, 'This link no longer works')).toBeFocused();
    await expect(page.getByRole('link', { name: 'Welcome, Mara!' })).toBeVisible();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(person.email);
  },
);

test('a confirmation link asks for the password where nobody is signed in', async ({
  page,
  browser,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/verify-email');
  expectErrorResponse('/api/user/disown');
  const other = await elsewhere(browser);
  const person = await signInAsNewUser(other);
  const token = await createAccountToken(other, 'verify-email');
  await other.close();
  await page.goto(`/verify-email#${token}`);
  await expect(heading(page, 'Confirm your address')).toBeVisible();
  await expect(page.getByText(`Please enter the password of the account for ${person.email}.`)).toBeVisible();
  await expectNoViolations(page);
  await page.getByLabel('Password').fill('not the one');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the password of this account').first()).toBeVisible();
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.getByRole('link', { name: 'This was not me' }).click();
  await expect(page.getByRole('button', { name: 'Delete this account' })).toBeVisible();
  await expectNoViolations(page);
  await page.goBack();
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(heading(page, 'Your address is confirmed')).toBeFocused();
  await page.goto(`/not-me#${token}`);
  await page.getByRole('button', { name: 'Delete this account' }).click();
  await expect(heading(page, 'This link no longer works')).toBeFocused();
});

test('“This was not me” in an email signs out every device, and leads to a new password', async ({
  page,
  browser,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/secure');
  const other = await elsewhere(browser);
  const person = await signInAsNewUser(other);
  await logIn(page, person);
  const outbox = await context.newPage();
  const link = (await openEmail(outbox, person.email, 'New sign-in to your album'))('secure-account');
  await page.goto(link);
  await expect(heading(page, 'This was not you?')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out every device' }).click();
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  expect(await isSignedIn(other)).toBe(false);
  await other.close();
  await page.getByLabel('New password').fill('muddy paw prints');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(heading(page, 'Your password is changed')).toBeFocused();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign out every device' }).click();
  await expect(heading(page, 'This link no longer works')).toBeFocused();
});

test('starting an album again asks what to do with the photos, and once more before it deletes them', async ({
  page,
  browser,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/register/again');
  expectErrorResponse('/api/register/again/preview');
  const other = await elsewhere(browser);
  const taken = await signInAsNewUser(other);
  for (const caption of ['First snow', 'Second snow']) await createMemory(other, await smallPhoto(), caption);
  const token = await createAccountToken(other, 'start-again');
  const person = newUser();
  await page.goto(`/start-again#${token}`);
  const start = page.getByRole('button', { name: 'Start your album' });
  await start.click();
  await expect(page.getByText('Please choose what happens to the photos')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('radio', { name: 'Start with an empty album' }).check();
  await expect(page.getByText('Please choose what happens to the photos')).toBeHidden();
  await page.getByLabel('Username').fill(taken.username);
  await page.getByLabel('Password').fill(person.password);
  await start.click();
  const question = page.getByRole('alertdialog', { name: 'Delete 2 photos?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  await expect(start).toBeFocused();
  expect(await isSignedIn(other)).toBe(true);

  await page.getByLabel('Username').fill(person.username);
  await start.click();
  await question.getByRole('button', { name: 'Delete and start' }).click();
  await expect(page).toHaveURL('/');
  expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([true, false]);
  await other.close();
  await page.goto(`/start-again#${token}`);
  await expect(heading(page, 'This link no longer works')).toBeVisible();
});

test('names and password are changed, and every session is ended', async ({
  page,
  browser,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/password');
  const other = await elsewhere(browser);
  const taken = await signInAsNewUser(other);
  const person = await signInAsNewUser(page);
  await logIn(other, person);
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('link', { name: 'Welcome, Mara!' }).click();
  await expect(page).toHaveTitle('Your Account · Mems Are Forever');
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText(
    `${person.email}Confirmed`,
  );

  const username = page.getByLabel('Username');
  await username.fill(taken.username);
  await page.getByLabel('First name').fill('Nora');
  await page.getByRole('button', { name: 'Save names' }).click();
  await expect(page.getByText('This username is already taken').first()).toBeVisible();
  await expect(username).toBeFocused();
  await username.fill(`${person.username}-2`);
  // Changes from another device are not overwritten.
  await other.request.patch('/api/user', { data: { lastName: 'Lind' } });
  await page.getByRole('button', { name: 'Save names' }).click();
  await expect(toast(page)).toHaveText('Saved');
  await expect(page.getByLabel('Last name')).toHaveValue('Lind');
  await openMenu(page);
  await expect(page.getByText('Welcome, Nora!', { exact: true })).toBeVisible();
  await page.reload();
  await expect(username).toHaveValue(`${person.username}-2`);

  const change = page.getByRole('button', { name: 'Change password' });
  await page.getByLabel('Current password').fill('not the one');
  await page.getByLabel('New password').fill('muddy paw prints');
  await change.click();
  await expect(page.getByLabel('Current password')).toBeFocused();
  await expect(page.getByText('This is not your current password').first()).toBeVisible();
  await page.getByLabel('Current password').fill(person.password);
  await change.click();
  await expect(toast(page)).toContainText('Password changed');
  await expect(page.getByLabel('Current password')).toHaveValue('');
  await page.getByRole('link', { name: 'Review them' }).click();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeInViewport();
  expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(page)).toBe(true);

  await logIn(other, { ...person, password: 'muddy paw prints' });
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await expect(toast(page)).toContainText("You've been signed out everywhere.");
  expect(await isSignedIn(other)).toBe(false);
  await other.close();
  await page.goto('/account');
  await expect(page).toHaveURL('/auth');
});

test('a photo is shared by a public link, until the owner stops sharing', async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await signInAsNewUser(page);
  await createMemory(page, await smallPhoto(), 'First snow');
  const stranger = await elsewhere(browser);
  const statusOf = async (url: string) => (await stranger.goto(url))?.status();

  await page.goto('/gallery');
  await page.getByRole('button', { name: 'Open First snow' }).click();
  const dialog = page.getByRole('dialog');
  const shared = dialog.getByRole('region', { name: 'Shared' });
  await chooseAction(page, 'Share');
  await expect(toast(page)).toContainText('Link Copied!');
  const first = await copied();
  await expect(shared.getByRole('link')).toHaveAttribute('href', first);
  expect(await statusOf(first)).toBe(200);
  await expectLoaded(stranger.getByRole('img', { name: 'First snow' }));

  await page.goto('/account');
  const links = page.getByRole('region', { name: 'Shared links' });
  await expect(links.getByRole('listitem')).toContainText('First snowFor anyone with the link');
  await links.getByRole('button', { name: 'Stop sharing First snow' }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop sharing this photo?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(links.getByRole('button', { name: 'Stop sharing First snow' })).toBeFocused();
  // The cached list is refetched on return; a response from before would bring the link back.
  const others = page.waitForResponse('**/api/shares?*');
  await links.getByRole('tab').last().click();
  await others;
  const asked: Route[] = [];
  await page.route('**/api/shares?*', (route) => (asked.push(route) === 1 ? undefined : route.fallback()));
  await links.getByRole('tab', { name: 'Made by you' }).click();
  await expect.poll(() => asked).toHaveLength(1);
  await links.getByRole('button', { name: 'Stop sharing First snow' }).click();
  await question.getByRole('button', { name: 'Stop sharing' }).click();
  await expect.poll(() => asked).toHaveLength(2);
  await expect(heading(page, 'Nothing shared yet')).toBeVisible();
  await expect(links.getByRole('tab', { name: 'Made by you' })).toBeFocused();
  expect(await statusOf(first)).toBe(404);

  await links.getByRole('link', { name: 'Go to your gallery' }).click();
  await cardMenu(page, 'First snow').click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await expect(toast(page)).toContainText('Link Copied!');
  const second = await copied();
  expect(second).not.toBe(first);
  await page.getByRole('button', { name: 'Open First snow' }).click();
  // With a share sheet, the sheet gets the link.
  await page.evaluate(() => {
    navigator.share = ({ url = '' } = {}) => {
      document.title = url;
      return Promise.resolve();
    };
  });
  await chooseAction(page, 'Share');
  await expect(page).toHaveTitle(second);
  await shared.getByRole('button', { name: 'Stop sharing' }).click();
  await question.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(shared).toBeHidden();
  await expect(moreActions(page)).toBeFocused();
  expect(await statusOf(second)).toBe(404);
  await stranger.close();
});

/** The image is loaded. */
async function expectLoaded(picture: Locator): Promise<void> {
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}
