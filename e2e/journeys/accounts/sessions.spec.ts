import type { Page } from '@playwright/test';
import { expect, test } from '../../support/fixtures.ts';
import { holdSignInRedirect, keepToasts } from '../../support/screens/toasts.ts';
import {
  fillSignIn,
  fillSignUp,
  newUser,
  LOGGED_OUT,
  openMenu,
  signInAsNewUser,
  toast,
} from '../../support/accounts/users.ts';
import {
  createMemory,
  choosePhoto,
  expectPhotoStored,
  openUploader,
  smallPhoto,
  uploadMemory,
} from '../../support/screens/photos.ts';

test(
  'a lost session shows a toast and leads to the sign-in page',
  { tag: '@quick' },
  async ({ page, context, expectErrorResponse }) => {
    expectErrorResponse('/api/objects/upload');
    await keepToasts(page);
    await signInAsNewUser(page);
    await page.goto('/');
    await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
    await context.clearCookies();
    const redirected = await holdSignInRedirect(page);
    await uploadMemory(page, await smallPhoto());
    await expect(toast(page)).toHaveText(LOGGED_OUT);
    await redirected();
  },
);

test('a tab reloads when another user signs in in another tab', async ({ page, context }) => {
  await signInAsNewUser(page);
  await page.goto('/');
  await openMenu(page);
  await expect(page.getByText('Welcome, Mara!')).toBeVisible();
  const beside = await context.newPage();
  await beside.goto('/');
  await openMenu(beside);
  await beside.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/auth');
  const second = { ...newUser(), firstName: 'Nora' };
  await beside.goto('/auth');
  await beside.getByRole('tab', { name: 'Sign Up' }).click();
  await fillSignUp(beside, second);
  await beside.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('button', { name: 'Add Mems' })).toBeVisible();
  await openMenu(page);
  await expect(page.getByText('Welcome, Nora!')).toBeVisible();
});

test('the next user on the same browser sees no data of the previous one', async ({
  page,
  expectErrorResponse,
}) => {
  const first = await signInAsNewUser(page);
  await createMemory(page, await smallPhoto(), 'Only for Mara');
  await page.goto('/');
  await expect(page.getByText('1 memory captured')).toBeVisible();
  const picture = page.getByRole('group', { name: 'Your Memory Collection' }).getByRole('img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  const pictureUrl = await picture.evaluate((image: HTMLImageElement) => image.currentSrc);
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await expectPhotoStored(page);
  await page.reload();
  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await logOut(page);

  // The next user's list loads slowly: the previous user's list must not be shown.
  await page.getByRole('link', { name: 'Get Started' }).click();
  await fillSignUp(page, { ...newUser(), firstName: 'Nora' });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/memories**', async (route) => {
    await held;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Your Memory Collection' })).toBeVisible();
  await expect(page.getByText('Only for Mara')).toBeHidden();
  await expect(page.getByText('1 memory captured')).toBeHidden();
  release();
  await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
  await openUploader(page);
  await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  await expect(page.getByText('Session restored')).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeHidden();
  await page.reload();
  await openUploader(page);
  await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeHidden();
  // The cache does not show them either. Routes would disable the browser's cache.
  await page.unrouteAll();
  expectErrorResponse(new URL(pictureUrl).pathname);
  expect(await page.evaluate(async (url) => (await fetch(url)).status, pictureUrl)).toBe(404);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Close' }).click();

  await logOut(page);
  await page.getByRole('link', { name: 'Sign In' }).click();
  await fillSignIn(page, first);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('after a session ended elsewhere, the browser shows no photo, and keeps an unsent one for its owner', async ({
  page,
  playwright,
  baseURL,
  expectErrorResponse,
}) => {
  expectErrorResponse('/objects/');
  // The page preloads what a signed-in browser needs.
  for (const path of ['/api/memories', '/api/pets']) expectErrorResponse(path);
  const { email, password } = await signInAsNewUser(page);
  await createMemory(page, await smallPhoto(), 'Only for Mara');
  await page.goto('/');
  const picture = page.getByRole('group', { name: 'Your Memory Collection' }).getByRole('img');
  await expect(picture).toBeVisible();
  const tile = await picture.evaluate((image: HTMLImageElement) => image.currentSrc);
  const [photo = ''] = tile.split('?');
  const large = [photo, `${photo}?w=1600`, `${photo}/original`];
  const statuses = (urls: string[]) =>
    page.evaluate((each) => Promise.all(each.map(async (url) => (await fetch(url)).status)), urls);
  expect(await statuses([tile, ...large])).toEqual([200, 200, 200, 200]);
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await expectPhotoStored(page);

  const elsewhere = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  const credentials = { email, password };
  expect((await elsewhere.post('/api/login', { data: credentials })).status()).toBe(200);
  expect((await elsewhere.post('/api/logout/all')).status()).toBe(204);
  await elsewhere.dispose();

  // The open page learns it, without a request of its own.
  await expect(picture).toHaveCount(0);
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  expect(await statuses(large)).toEqual([401, 401, 401]);
  await page.goto(large[0] ?? '');
  await expect(page.locator('body')).toContainText('Unauthorized');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect(await statuses([tile, ...large])).toEqual([401, 401, 401, 401]);

  // The next person's cookie finds nothing in the cache, so that the server is asked.
  const next = { ...newUser(), firstName: 'Nora' };
  expect((await page.request.post('/api/register', { data: next })).status()).toBe(201);
  expect(await statuses([tile, ...large])).toEqual([404, 404, 404, 404]);
  await page.goto('/');
  await openUploader(page);
  await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  await expect(page.getByText('Session restored')).toBeHidden();
  // Its owner goes on. An open page would load itself anew when its account changes.
  await page.goto('about:blank');
  expect((await page.request.post('/api/login', { data: credentials })).status()).toBe(200);
  await page.goto('/');
  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeVisible();
});

async function logOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
}
