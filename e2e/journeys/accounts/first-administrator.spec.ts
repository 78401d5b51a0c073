import { fillSignIn, newUser } from '../../support/accounts/users.ts';
import {
  createAppFolder,
  readAdministratorLink,
  removeAppFolder,
  startAndWait,
  type AppFolder,
} from '../../support/apps/lifecycle-app.ts';
import { expect, test } from '../../support/fixtures.ts';

let folder: AppFolder;
test.beforeEach(() => void (folder = createAppFolder()));
test.afterEach(() => removeAppFolder(folder));

test('the link of the start makes an existing account the administrator, after signing in', async ({
  page,
}) => {
  const app = await startAndWait(folder);
  const person = newUser();
  const registered = await page.request.post(`${app.address}/api/register`, { data: person });
  expect(registered.status()).toBe(201);
  await page.request.post(`${app.address}/api/logout`);
  await page.goto(readAdministratorLink(folder));
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Become the administrator?' })).toBeFocused();
  await page.getByRole('button', { name: 'Become the administrator' }).click();
  await expect(page).toHaveURL(`${app.address}/admin`);
  await expect(page.getByRole('heading', { name: 'Just you so far' })).toBeVisible();
  await page.goto('about:blank');
  app.npm.kill('SIGTERM');
  await app.ended;
});
