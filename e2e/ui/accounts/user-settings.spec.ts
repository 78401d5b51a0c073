import type { Route } from '@playwright/test';
import { TOKEN } from '../../../client/src/testing/fake-server/routes/user-routes.ts';
import { idOf } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { toast } from '../../support/accounts/users.ts';
import { addMemory } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

test('a notice asks to confirm the address until that is done', async ({ page, server }) => {
  server.state.user.emailVerified = false;
  await page.goto('/contacts');
  const notice = page.getByRole('complementary', { name: 'Please confirm your email address' });
  await expect(notice).toContainText('Until then, your contacts get no new photos.');
  // The response to the refetch after sending the link is slow, and may be from before the confirmation.
  const held: Route[] = [];
  await page.route('**/api/user', (route) => void held.push(route), { times: 1 });
  await notice.getByRole('button', { name: 'Resend link' }).click();
  await expect(toast(page)).toContainText('Link sent');
  await expect.poll(() => held).toHaveLength(1);
  // The link was opened in another tab; this tab gets the focus.
  server.state.user.emailVerified = true;
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(notice).toBeHidden();
});

test('starting an empty album again asks about photos that were added after the page was opened', async ({
  page,
  server,
}) => {
  server.state.isSignedIn = false;
  await page.goto(`/start-again#${TOKEN}`);
  await page.getByRole('radio', { name: 'Start with an empty album' }).check();
  addMemory(server, 'First snow');
  await page.getByLabel('Username').fill('nora');
  await page.getByLabel('Password').fill('warm paw prints');
  await page.getByRole('button', { name: 'Start your album' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete 1 photo?' });
  await expect(question).toContainText('Everything in that album is deleted for good.');
  await page.keyboard.press('Escape');
  expect(server.requests).not.toContain('POST /api/register/again');
});

test('links are paged, and the focus moves to the first new one', async ({ page, server }) => {
  server.state.shares = Array.from({ length: 101 }, (_, index) => ({
    id: idOf(200 + index),
    memoryId: idOf(400 + index),
    caricatureId: null,
    url: `http://localhost/p/${index}`,
    imageUrl: `/objects/${idOf(600 + index)}`,
    caption: `Day ${index}`,
    contactName: null,
    createdAt: server.state.now,
  }));
  await page.goto('/account');
  const rows = page.getByRole('region', { name: 'Shared links' }).getByRole('listitem');
  await expect(rows).toHaveCount(100);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(101);
  await expect(rows.last()).toBeFocused();
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
});

test('password managers learn whose password a form has', async ({ page, server }) => {
  const username = page.locator('form:has(input[type="password"]) input[autocomplete="username"]');
  const { email } = server.state.user;
  await page.goto('/account');
  await expect(username).toHaveValue(email);
  server.state.isSignedIn = false;
  await page.goto('/reset-password#token');
  await expect(username).toHaveValue(email);
  await expect(username).toBeHidden();
});
