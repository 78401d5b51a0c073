import type { Memory } from '#shared/album/memory';
import { expect, test } from '../../support/fixtures.ts';
import {
  fillSignIn,
  fillSignUp,
  hasMenu,
  newUser,
  signInAsNewUser,
  toast,
} from '../../support/accounts/users.ts';
import {
  finishUpload,
  looksUpright,
  portraitFromPhone,
  smallPhoto,
  uploadMemory,
} from '../../support/screens/photos.ts';
import { pressButton } from '../../support/screens/tab-key.ts';

test('a new user signs up, adds a photo and finds it', { tag: ['@phone', '@quick'] }, async ({ page }) => {
  const person = newUser();
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started' }).click();
  await expect(page).toHaveURL('/auth');
  await fillSignUp(page, person);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toast(page)).toContainText('Account created!');
  await expect(page).toHaveURL('/');
  await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your Memory Collection' })).toBeHidden();

  await uploadMemory(page, await portraitFromPhone(), 'Biscuit at the lake');
  await expect(toast(page)).toContainText('Success!');
  await expect(toast(page)).toContainText('Memory uploaded successfully! 🎉');
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
  const firstSteps = page.getByRole('region', { name: 'First steps' });
  await expect(firstSteps.getByText('Add the first photo (done)')).toBeVisible();

  const picture = page
    .getByRole('group', { name: 'Your Memory Collection' })
    .getByRole('img', { name: 'Biscuit at the lake' });
  await expect.poll(() => looksUpright(picture)).toBe(true);

  await page.reload();
  await expect.poll(() => looksUpright(picture)).toBe(true);

  if (hasMenu(page)) await pressButton(page, page.getByRole('button', { name: 'Menu' }));
  await expect(page.getByText('Welcome, Mara!', { exact: true })).toBeVisible();
  await pressButton(page, page.getByRole('button', { name: 'Logout' }));
  await expect(toast(page)).toContainText('Signed out');
  await expect(page).toHaveURL('/');
  await page.getByRole('link', { name: 'Sign In' }).click();
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page)).toContainText('Welcome back!');
  await expect.poll(() => looksUpright(picture)).toBe(true);
});

test('a new card shows the local picture while the stored one is loading', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await signInAsNewUser(page);
  await page.route('**/objects/*?w=*', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/');
  await uploadMemory(page, await portraitFromPhone(), 'Biscuit at the lake');
  await finishUpload(page);
  const print = page.getByRole('button', { name: 'Open Biscuit at the lake' });
  await expect(print.locator('div')).toHaveCSS('background-image', /^url\("data:image\/jpeg/);
  await expect.poll(() => looksUpright(print.locator('div'))).toBe(true);
  release();
});

test('a photo that the album has is shown instead of added again', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/');
  const photo = await smallPhoto();
  await uploadMemory(page, photo, 'First snow');
  await finishUpload(page);
  await uploadMemory(page, photo, 'Again');
  await expect(toast(page)).toContainText('This photo is already in your album');
  await expect(toast(page)).toContainText('What you wrote was added where it had nothing yet.');
  await finishUpload(page);
  await toast(page).getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByRole('dialog')).toContainText('First snow');
  await page.keyboard.press('Escape');
  const [memory] = (await (await page.request.get('/api/memories')).json()) as Memory[];
  await page.request.delete(`/api/memories/${memory?.id}`);
  await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
  await uploadMemory(page, photo);
  await expect(toast(page)).toContainText('Back in your album');
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
});
