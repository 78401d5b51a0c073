import type { Page } from '@playwright/test';
import { expect, test } from '../../support/fixtures.ts';
import { signInAsNewUser, toast } from '../../support/accounts/users.ts';
import { readCode, newPhoneNumber } from '../../support/accounts/phone-numbers.ts';

const numberField = (page: Page) => page.getByLabel('Phone number');
const codeField = (page: Page) => page.getByLabel('Verification code');

async function askForCode(page: Page, e164: string): Promise<void> {
  await numberField(page).fill(e164);
  await page.getByRole('button', { name: 'Send Verification Code' }).click();
  await expect(codeField(page)).toBeFocused();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole('button', { name: 'Verify' }).click();
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

test('a phone number is verified, changed and removed', async ({ page, expectErrorResponse }) => {
  expectErrorResponse('/api/sms/send-verification');
  expectErrorResponse('/api/sms/verify');
  const [mistyped, right] = [newPhoneNumber(), newPhoneNumber()];
  await signInAsNewUser(page);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Verify your phone' }).click();
  await expect(page).toHaveURL('/phone-verification');
  await expect(page).toHaveTitle('Add by text or email · Mems Are Forever');

  await page.getByRole('button', { name: 'Send Verification Code' }).click();
  await expect(page.getByText('Please enter your phone number')).toBeVisible();
  await numberField(page).fill('555-0123');
  await page.getByRole('button', { name: 'Send Verification Code' }).click();
  await expect(toast(page)).toContainText('Failed to send code');
  await expect(numberField(page)).toBeFocused();
  await expect(numberField(page)).toHaveAccessibleDescription(/This is not a phone number/);

  await askForCode(page, mistyped.e164);
  await expect(toast(page)).toContainText('Verification code sent');
  const lost = await readCode(page, mistyped.e164);
  await page.getByRole('button', { name: 'Change Phone Number' }).click();
  await expect(numberField(page)).toBeFocused();
  await expect(numberField(page)).toHaveValue(mistyped.shown);

  await askForCode(page, right.e164);
  const code = await readCode(page, right.e164);
  // A phone may discard the page while the user reads the SMS.
  await page.reload();
  await enterCode(page, wrong(code));
  await expect(toast(page)).toHaveText('Invalid codePlease check your code and try again');
  await expect(codeField(page)).toBeFocused();
  await codeField(page).fill('');
  await codeField(page).evaluate(
    (field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    `Code: ${code.slice(0, 3)} ${code.slice(3)}`,
  );
  await expect(codeField(page)).toHaveValue(code);
  await page.keyboard.press('Enter');
  await expect(toast(page)).toHaveText('Phone verified successfully');
  const verified = page.getByRole('heading', { name: 'Phone Verified!' });
  await expect(verified).toBeFocused();
  await expect(page.getByText(right.shown)).toBeVisible();
  await page.reload();
  await expect(verified).toBeVisible();

  await page.getByRole('button', { name: 'Change number' }).click();
  await askForCode(page, mistyped.e164);
  await enterCode(page, wrong(lost));
  await expect(toast(page)).toContainText('Invalid code');
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(verified).toBeFocused();
  await expect(page.getByText(right.shown)).toBeVisible();

  await page.getByRole('button', { name: 'Remove number' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to remove this number?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove number' }).click();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(toast(page)).toHaveText('Phone number removed');
  await expect(page.getByRole('heading', { name: 'Phone Verification' })).toBeFocused();
  await expect(numberField(page)).toHaveValue('');
});
