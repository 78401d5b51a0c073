import { expectNoViolations } from '../../support/axe.ts';
import { expect, test } from '../fixtures.ts';

test('where passkeys do not work, the account says why and sign-in does not offer them', async ({
  page,
  server,
}) => {
  server.state.config.passkeyOrigin = 'https://mems.example';
  server.state.isSignedIn = false;
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
  server.state.isSignedIn = true;
  await page.goto('/account');
  const section = page.getByRole('region', { name: 'Passkeys' });
  await expect(section).toContainText('Passkeys work at https://mems.example only');
  await expect(section.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  await expectNoViolations(page);
  // As on a phone in the same network.
  server.state.config.passkeyOrigin = null;
  await page.reload();
  await expect(section).toContainText('Passkeys need a secure address with a name');
});
