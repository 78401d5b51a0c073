import type { Page } from '@playwright/test';
import { totpCode } from '../../support/accounts/totp.ts';
import { administrator, newUser, signIn, toast } from '../../support/accounts/users.ts';
import { addAuthenticator, disablePasskeySuggestions } from '../../support/accounts/virtual-authenticator.ts';
import { openEmail } from '../../support/apps/dev-outbox.ts';
import { readAdministratorLink } from '../../support/apps/lifecycle-app.ts';
import { test } from '../../support/apps/oidc-app.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect } from '../../support/fixtures.ts';
import { pressButton, tabTo, typeInto } from '../../support/screens/tab-key.ts';

// Text has less contrast during animations.
test.use({
  contextOptions: { reducedMotion: 'reduce' },
});

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const album = (page: Page) => button(page, 'Add Mems');

async function openAccount(page: Page): Promise<void> {
  await pressButton(page, page.getByRole('link', { name: /^Welcome, / }));
  await expect(heading(page, 'Your Account')).toBeVisible();
}

async function signOut(page: Page): Promise<void> {
  await pressButton(page, button(page, 'Logout'));
  await pressButton(page, page.getByRole('link', { name: 'Sign In', exact: true }));
  await expect(heading(page, 'Open your album')).toBeVisible();
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await typeInto(page, page.getByLabel('Email'), email);
  await typeInto(page, page.getByLabel('Password'), password);
  await page.keyboard.press('Enter');
}

async function useRecoveryCode(page: Page, code = ''): Promise<void> {
  await pressButton(page, button(page, 'Use a recovery code instead'));
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

test('an invited person secures an account, gets it back and joins another sign-in, by keyboard', async ({
  page,
  context,
  browser,
  address,
  dataDir,
}) => {
  const checkScreen = () => expectNoViolations(page);
  const person = newUser();
  await addAuthenticator(page);
  await disablePasskeySuggestions(page);

  // An administrator, by the link of the start, invites someone.
  const invitationToken = new URL(readAdministratorLink({ dataDir })).searchParams.get('invite');
  const registered = await page.request.post('/api/register', {
    data: { ...administrator, invitationToken },
  });
  expect(registered.status()).toBe(201);
  await page.goto('/admin');
  await pressButton(page, button(page, 'Invite someone'));
  await checkScreen();
  await pressButton(page, button(page, 'Create invitation'));
  const link = await page.getByLabel('Invitation link').inputValue();
  await checkScreen();

  // An account with a password.
  await context.clearCookies();
  await page.goto(link);
  await expect(page.getByText('You’re invited.')).toBeVisible();
  await checkScreen();
  await typeInto(page, page.getByLabel('First name'), person.firstName);
  await typeInto(page, page.getByLabel('Username'), person.username);
  await typeInto(page, page.getByLabel('Email'), person.email);
  await typeInto(page, page.getByLabel('Password'), person.password);
  const registering = page.waitForRequest('**/api/register');
  await page.keyboard.press('Enter');
  const sent: unknown = (await registering).postDataJSON();
  expect(sent).toMatchObject({ invitationToken: new URL(link).searchParams.get('invite') });
  await expect(album(page)).toBeVisible();
  await checkScreen();
  const phone = await browser.newPage({ baseURL: address, userAgent: FIREFOX });
  await signIn(phone, person);
  await phone.goto('/');
  await expect(album(phone)).toBeVisible();

  // An authenticator app.
  await openAccount(page);
  await checkScreen();
  await pressButton(page, button(page, 'Set up an authenticator app'));
  const setup = page.getByRole('dialog', { name: 'Set up your authenticator app' });
  await expect(setup.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const key = (await setup.locator('.select-all').textContent()) ?? '';
  await checkScreen();
  await typeInto(page, setup.getByLabel('Code that the app shows now'), totpCode(key));
  await page.keyboard.press('Enter');
  const saving = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const codes = saving.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode] = await codes.allTextContents();
  await checkScreen();
  await pressButton(page, button(page, 'I have saved them'));
  await expect(saving).toBeHidden();

  // The phone is lost: a recovery code.
  await signOut(page);
  await checkScreen();
  await enterPassword(page, person.email, person.password);
  await expect(heading(page, 'Enter your code')).toBeVisible();
  await checkScreen();
  await useRecoveryCode(page, recoveryCode);
  await expect(album(page)).toBeVisible();

  // A passkey.
  await openAccount(page);
  await pressButton(page, button(page, 'Add a passkey'));
  await expect(toast(page)).toContainText('Passkey added');
  await signOut(page);
  await pressButton(page, button(page, 'Sign in with a passkey'));
  await expect(album(page)).toBeVisible();

  // The other device's session is ended.
  await openAccount(page);
  await checkScreen();
  const devices = section(page, 'Devices').getByRole('listitem');
  await expect(devices).toHaveText([
    /^Chrome on Linux.*This device/,
    /^Firefox on Windows.*127\.0\.0\.0\/24/,
  ]);
  await pressButton(page, button(page, 'Sign out Firefox on Windows'));
  await expect(toast(page)).toContainText('Signed out');
  await expect(devices).toHaveCount(1);
  await expect(phone).toHaveURL('/auth');
  await phone.close();

  // The email address is changed, and the old one undoes it.
  const newEmail = `new-${person.email}`;
  await pressButton(page, button(page, 'Change email'));
  await expect(page.getByLabel('New email')).toBeFocused();
  await page.keyboard.type(newEmail);
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Link sent');
  await expect(page.getByText(`Please confirm ${newEmail}.`)).toBeVisible();
  await checkScreen();
  const outbox = await context.newPage();
  const confirmation = await openEmail(outbox, newEmail, 'Confirm your new email address', dataDir);
  await page.goto(confirmation('confirm-email'));
  await tabTo(page, button(page, 'Confirm my new address'));
  await checkScreen();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Your email address is changed')).toBeVisible();
  await checkScreen();
  const notice = await openEmail(outbox, person.email, 'Your email address was changed', dataDir);
  await outbox.close();
  await page.goto(notice('undo-email'));
  await tabTo(page, button(page, 'Undo the change'));
  await checkScreen();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await checkScreen();
  const password = 'muddy paw prints';
  await typeInto(page, page.getByLabel('New password'), password);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Your password is changed')).toBeFocused();
  await checkScreen();
  await pressButton(page, page.getByRole('link', { name: 'Sign In', exact: true }));
  await enterPassword(page, person.email, password);
  await expect(album(page)).toBeVisible();

  // A sign-in through another service.
  await openAccount(page);
  // The undoing removes what a thief could have set up.
  await expect(section(page, 'Passkeys')).toContainText('You have none yet.');
  await expect(section(page, 'Authenticator app')).toContainText('Not set up.');
  await expect(section(page, 'Email')).toContainText(person.email);
  await expect(section(page, 'Recent activity')).toContainText('The change of the email address was undone');
  await pressButton(page, button(page, 'Connect Our house'));
  await typeInto(page, page.getByLabel('Name at the provider'), person.username);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Connect Our house to your album?')).toBeFocused();
  await checkScreen();
  await pressButton(page, button(page, 'Connect Our house'));
  await expect(page).toHaveURL('/account');
  await expect(section(page, 'Our house')).toContainText(`${person.username}@house.example`);
  await checkScreen();
  await signOut(page);
  await pressButton(page, button(page, 'Sign in with Our house'));
  await expect(album(page)).toBeVisible();
});
