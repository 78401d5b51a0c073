import type { Page } from '@playwright/test';
import { toast } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../fixtures.ts';

const NAME = 'Our house';
const PENDING = '**/api/oidc/pending';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a sign-in with OpenID Connect says what went wrong', async ({ page, server }) => {
  server.state.config.oidcName = NAME;
  await test.step('on the sign-in page', async () => {
    server.state.isSignedIn = false;
    await page.goto('/auth?oidc=expired');
    await expect(page.getByRole('alert')).toHaveText(
      'This sign-in took too long, or was used already. Please try again.',
    );
    const json = { message: 'Our house is not responding.' };
    await page.route('**/api/oidc/start', (route) => route.fulfill({ status: 503, json }));
    await button(page, `Sign in with ${NAME}`).click();
    await expect(toast(page)).toHaveText('Not signed inOur house is not responding.');
    await expectNoViolations(page);
  });

  await test.step('on the page that connects it', async () => {
    await page.route(PENDING, (route) => route.abort());
    await page.goto('/connect');
    await expect(page.getByRole('heading', { name: 'Nothing is connected yet' })).toBeVisible();
    await page.unroute(PENDING);
    await page.route(PENDING, (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }));
    await button(page, 'Try again').click();
    await expect(page.getByRole('heading', { name: 'This sign-in has expired' })).toBeVisible();
    await expectNoViolations(page);
  });

  await test.step('in the account', async () => {
    server.state.isSignedIn = true;
    server.failing = { calls: /^GET \/api\/oidc\/identities/, status: 500 };
    await page.goto('/account?oidc=taken');
    const section = page.getByRole('region', { name: NAME });
    await expect(section.getByRole('alert').first()).toHaveText(
      'This sign-in with Our house is connected to another album.',
    );
    await expect(section.getByText('could not be loaded')).toBeVisible();
    await expectNoViolations(page);
    server.failing = null;
    await section.getByRole('button', { name: 'Try again' }).click();
    await expect(section.getByText('Not connected')).toBeVisible();
  });
});

test('no screen of OpenID Connect scrolls horizontally at 360 px', async ({ page, server }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  // The longest name that the configuration allows, in one word.
  const name = 'W'.repeat(30);
  Object.assign(server.state, { isSignedIn: false });
  server.state.config.oidcName = name;
  await page.route(PENDING, (route) => route.fulfill({ json: { label: 'x'.repeat(100) } }));
  await page.goto('/auth');
  await expect(button(page, `Sign in with ${name}`)).toBeVisible();
  expect(await width()).toBe(360);
  await page.goto('/connect');
  await expect(page.getByRole('heading', { name: 'Which album is yours?' })).toBeVisible();
  expect(await width()).toBe(360);
  server.state.isSignedIn = true;
  await page.reload();
  await expect(button(page, `Connect ${name}`)).toBeVisible();
  expect(await width()).toBe(360);
  await page.goto('/account');
  await expect(button(page, `Connect ${name}`)).toBeVisible();
  expect(await width()).toBe(360);
});
