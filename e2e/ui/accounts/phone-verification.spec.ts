import { toast } from '../../support/accounts/users.ts';
import { expect, test } from '../fixtures.ts';

test('a code can be resent after 30 seconds', async ({ page }) => {
  await page.clock.install();
  await page.goto('/phone-verification');
  await page.getByLabel('Phone number').fill('+12065550123');
  await page.getByRole('button', { name: 'Send Verification Code' }).click();
  await expect(page.getByLabel('Verification code')).toBeFocused();
  const again = page.getByRole('button', { name: 'Send again' });
  await expect(again).toHaveAttribute('aria-disabled', 'true');
  await expect(again).toHaveAccessibleDescription(/^in \d+ s$/);
  await page.clock.fastForward(30_000);
  await expect(again).not.toHaveAttribute('aria-disabled');
  await page.route('**/api/sms/send-verification', (route) => route.abort());
  await again.click();
  await expect(toast(page)).toHaveText('Failed to send codePlease try again');
  await page.unroute('**/api/sms/send-verification');
  await again.click();
  await expect(toast(page)).toContainText('Verification code sent');
  await expect(again).toHaveAttribute('aria-disabled', 'true');
});
