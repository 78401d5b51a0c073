import { TOKEN } from '../../../client/src/testing/fake-server/routes/user-routes.ts';
import { toast } from '../../support/accounts/users.ts';
import { expect, test } from '../fixtures.ts';

const VERIFICATIONS = '**/api/user/verify-email';

test('a used link of a confirmed address leads to the album', async ({ page }) => {
  await page.goto('/verify-email#used');
  await expect(page.getByRole('heading', { name: 'Your address is already confirmed' })).toBeFocused();
  await expect(page.getByText('ada@mems.example is confirmed.')).toBeVisible();
  await page.getByRole('link', { name: 'Open your album' }).click();
  await expect(page).toHaveURL('/');
});

test('an address that could not be confirmed for now can be tried again', async ({ page, server }) => {
  server.state.user.emailVerified = false;
  await page.route(VERIFICATIONS, (route) => route.abort());
  await page.goto(`/verify-email#${TOKEN}`);
  await expect(page.getByRole('heading', { name: 'Your address is not confirmed yet' })).toBeVisible();
  await page.unroute(VERIFICATIONS);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed', exact: true })).toBeFocused();
  expect(server.state.user.emailVerified).toBe(true);
});

test('an expired link can be replaced by a signed-in user', async ({ page, server }) => {
  server.state.user.emailVerified = false;
  await page.goto('/verify-email#expired');
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeFocused();
  await page.getByRole('main').getByRole('button', { name: 'Send a new link' }).click();
  await expect(toast(page)).toContainText('Link sent');
  expect(server.requests).toContain('POST /api/user/verify-email/resend');
});
