import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { totpCode, turnTotpOn } from './totp.ts';
import { fillSignIn, registerUser, toast, type NewUser } from './users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const section = (page: Page) => page.getByRole('region', { name: 'Authenticator app' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const codesDialog = (page: Page) => page.getByRole('dialog', { name: 'Save your recovery codes' });
const welcome = (page: Page) => page.getByRole('button', { name: 'Add Mems' });

/** In a browser that knows neither session nor device. */
async function enterPassword(page: Page, person: NewUser): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/auth');
  await fillSignIn(page, person);
  await page.keyboard.press('Enter');
}

test('an authenticator app is set up, and asked for at sign-in', async ({
  page,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/totp/confirm');
  expectErrorResponse('/api/login/code');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await registerUser(page);
  await page.goto('/account');
  await expect(section(page)).toContainText('Not set up.');
  await section(page).getByRole('button', { name: 'Set up an authenticator app' }).press('Enter');
  const setup = page.getByRole('dialog', { name: 'Set up your authenticator app' });
  await expect(setup.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const key = (await setup.locator('.select-all').textContent()) ?? '';
  expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await setup.getByRole('button', { name: 'Copy key' }).click();
  await expect(toast(page)).toContainText('Key copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.replaceAll(' ', ''));
  const code = setup.getByLabel('Code that the app shows now');
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await expect(setup.getByText('This is not the code that your app should show')).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill(totpCode(key));
  await page.keyboard.press('Enter');

  const dialog = codesDialog(page);
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(new Set(codes).size).toBe(10);
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(toast(page)).toContainText('Recovery codes copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(codes.join('\n'));
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, 'utf8')).toContain(codes.join('\n'));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(codes[0] ?? '')).toBeVisible();
  await expect(page.getByRole('button', { name: 'I have saved them' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await expect(dialog).toBeHidden();
  await expect(section(page)).toContainText('You have 10 recovery codes left.');

  await enterPassword(page, person);
  await expect(heading(page, 'Enter your code')).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.reload();
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('This code is wrong or has expired').first()).toBeVisible();
  // As some apps copy it. The setup has used the current one.
  const shown = totpCode(key, 1).replace(/^.../, '$& ');
  await page.evaluate((text) => navigator.clipboard.writeText(text), shown);
  await page.getByLabel('Code').selectText();
  await page.keyboard.press('ControlOrMeta+v');
  await page.keyboard.press('Enter');
  await expect(welcome(page)).toBeVisible();
  await expect(toast(page)).toContainText('Welcome back!');
});

test('the second step can be left, and asks for the password again when it has ended', async ({
  page,
  context,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/login/code');
  const person = await registerUser(page);
  const { codes } = await turnTotpOn(page);
  await enterPassword(page, person);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(heading(page, 'Open your album')).toBeVisible();
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(heading(page, 'Enter your code')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Open your album')).toBeVisible();
  await page.goForward();
  await expect(heading(page, 'Enter your code')).toBeVisible();
  // As after ten minutes.
  await context.clearCookies();
  await page.getByLabel('Code').fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Please enter your password again.');
  await fillSignIn(page, person);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(welcome(page)).toBeVisible();
});

test('recovery codes are renewed, and the app is turned off, after a question and a proof', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/recovery-codes');
  expectErrorResponse('/api/session/proof');
  const person = await registerUser(page);
  const { codes: old } = await turnTotpOn(page);
  const factor = (await (await page.request.get('/api/user/second-factor')).json()) as object;
  await page.route('**/api/user/second-factor', (route) =>
    route.fulfill({ json: { ...factor, recoveryCodesLeft: 2 } }),
  );
  await page.goto('/account');
  await expect(section(page)).toContainText(
    'You have 2 recovery codes left. Renew them before you need one.',
  );
  await expectNoViolations(page);
  await page.unroute('**/api/user/second-factor');
  // As ten minutes later.
  const refused = { message: 'Please confirm that it is you', code: 'identity-unconfirmed' };
  await page.route('**/api/user/recovery-codes', (route) => route.fulfill({ status: 403, json: refused }), {
    times: 1,
  });
  await section(page).getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByRole('button', { name: 'Renew codes' }).click();
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(proof.getByLabel('Password')).toBeFocused();
  await page.keyboard.type('not the one');
  await page.keyboard.press('Enter');
  await expect(proof.getByText('This is not your password')).toBeVisible();
  await proof.getByLabel('Password').fill(person.password);
  await page.keyboard.press('Enter');
  await expect(codesDialog(page).getByRole('listitem')).toHaveCount(10);
  const codes = await codesDialog(page).getByRole('listitem').allTextContents();
  expect(codes).not.toContain(old[0]);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(section(page)).toContainText('You have 10 recovery codes left.');
  await section(page).getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(section(page)).toContainText('Not set up.');
  await enterPassword(page, person);
  await expect(welcome(page)).toBeVisible();
});

test('a part that could not be loaded says so, and can be tried again', async ({
  page,
  expectErrorResponse,
}) => {
  expectErrorResponse('/api/user/second-factor');
  expectErrorResponse('/api/user/passkeys');
  await registerUser(page);
  await page.route(/\/api\/user\/(second-factor|passkeys)$/, (route) => route.fulfill({ status: 503 }));
  await page.goto('/account');
  await expect(section(page)).toContainText('This part of your account could not be loaded.');
  await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText('could not be loaded');
  await expectNoViolations(page);
  await page.unroute(/\/api\/user\/(second-factor|passkeys)$/);
  await section(page).getByRole('button', { name: 'Try again' }).click();
  await expect(section(page)).toContainText('Not set up.');
});
