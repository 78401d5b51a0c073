import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { totpCode } from '../../support/accounts/totp.ts';
import { fillSignIn, signInAsNewUser, toast, type NewUser } from '../../support/accounts/users.ts';
import { expect, test } from '../../support/fixtures.ts';

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
  const person = await signInAsNewUser(page);
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
