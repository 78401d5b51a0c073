import { expect, test } from '../fixtures.ts';

test('pages request no user and no memories without a session', async ({ page, server }) => {
  server.state.isSignedIn = false;
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  await page.goto('/gallery');
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await expect.poll(() => requested).toContain('/api/config');
  expect(requested.filter((path) => /^\/(objects|api\/(user|memories))/.test(path))).toEqual([]);
});
