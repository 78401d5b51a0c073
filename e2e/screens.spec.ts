import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { totpCode } from './totp.ts';
import { administrator, fillSignIn, registerUser, signIn, toast } from './users.ts';
import { addAuthenticator, disablePasskeySuggestions } from './virtual-authenticator.ts';
import { createPet } from './pets.ts';
import {
  createMemory,
  choosePhoto,
  expectPhotoStored,
  finishUpload,
  openUploader,
  smallPhoto,
  uploadMemory,
} from './photos.ts';

const LONG_CAPTION = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);

test('an unknown path shows the 404 page, signed in or out', async ({ page }) => {
  await page.goto('/gallery-of-nothing');
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await registerUser(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
});

test('each page has a title', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Mems Are Forever');
  await page.goto('/auth');
  await expect(page).toHaveTitle('Sign in · Mems Are Forever');
  await page.goto('/nowhere');
  await expect(page).toHaveTitle('Page not found · Mems Are Forever');
});

test('the chosen theme is applied before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // The app's code is blocked: only public/theme.js has run.
  await page.route('**/*.js', (route) =>
    route.request().url().endsWith('/theme.js') ? route.continue() : undefined,
  );
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(28, 21, 18)');
  await expect(page.locator('#root')).toBeEmpty();
});

test('the theme follows the system until the user chooses one', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('radio', { name: 'Follow the system' })).toBeChecked();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.getByRole('radio', { name: 'Light', exact: true }).check();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-theme', 'light');
});

test('no page scrolls horizontally at 360 px', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Get Started' })).toBeVisible();
  expect(await width()).toBe(360);
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  expect(await width()).toBe(360);
  await registerUser(page);
  await page.goto('/');
  await uploadMemory(page, await smallPhoto(), LONG_CAPTION);
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
  expect(await width()).toBe(360);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(await width()).toBe(360);
  await createPet(page, { name: 'Hohenzollern'.repeat(8), species: 'dog' });
  await createMemory(page, await smallPhoto(), '', { tags: 'Kapitänsmütze'.repeat(12) });
  for (const path of ['/gallery', '/gallery?view=list', '/timeline']) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: /^Open Donau/ })).toBeVisible();
    if (path !== '/timeline') await expect(page.getByRole('combobox', { name: 'Pet' })).toBeVisible();
    expect(await width()).toBe(360);
  }
  await page.goto(`/gallery?q=${'zebra'.repeat(30)}`);
  await expect(page.getByText('No memories found')).toBeVisible();
  expect(await width()).toBe(360);
});

test.describe('axe finds nothing', () => {
  // Text has less contrast during animations.
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test.describe('at localhost, where passkeys work', () => {
    test.use({
      baseURL: async ({}, use) => use(process.env['E2E_BASE_URL']?.replace('127.0.0.1', 'localhost')),
      viewport: { width: 360, height: 740 },
    });

    test('on the screens that secure an account, and none scrolls horizontally at 360 px', async ({
      page,
      expectErrorResponse,
    }) => {
      for (const path of ['/api/user/totp/confirm', '/api/oidc/pending']) expectErrorResponse(path);
      const button = (name: string | RegExp) => page.getByRole('button', { name });
      const checkScreen = async () => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        await expectNoViolations(page);
      };
      await addAuthenticator(page);
      await disablePasskeySuggestions(page);
      const person = await registerUser(page);
      await page.goto('/account');
      await button('Set up an authenticator app').click();
      const setup = page.getByRole('dialog', { name: 'Set up your authenticator app' });
      const key = (await setup.locator('.select-all').textContent()) ?? '';
      await setup.getByLabel('Code that the app shows now').fill('000000');
      await page.keyboard.press('Enter');
      await expect(page.getByText('This is not the code that your app should show')).toBeVisible();
      await checkScreen();
      await setup.getByLabel('Code that the app shows now').fill(totpCode(key));
      await page.keyboard.press('Enter');
      await expect(button('I have saved them')).toBeVisible();
      await checkScreen();
      await button('I have saved them').click();

      await button('Add a passkey').click();
      await button(/^Rename/).click();
      await page.getByLabel('Name', { exact: true }).fill('W'.repeat(60));
      await checkScreen();
      await page.keyboard.press('Enter');
      await button(/^Remove WWW/).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await checkScreen();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await checkScreen();

      await page.context().clearCookies();
      await page.goto('/auth');
      await expect(button('Sign in with a passkey')).toBeVisible();
      await checkScreen();
      await fillSignIn(page, person);
      await page.keyboard.press('Enter');
      await expect(page.getByLabel('Code')).toBeFocused();
      await checkScreen();
      await button('Use a recovery code instead').click();
      await expect(page.getByLabel('Recovery code')).toBeFocused();
      await checkScreen();

      for (const [path, title] of [
        ['/confirm-email#token', 'Confirm your new address'],
        ['/undo-email#token', 'Keep your email address'],
        ['/secure-account#token', 'This was not you?'],
        ['/connect', 'This sign-in has expired'],
      ] as const) {
        await page.goto(path);
        await expect(page.getByRole('heading', { name: title })).toBeVisible();
        await checkScreen();
      }
    });
  });

  test("on the administrator's page, its menu and its dialogs", async ({ page }) => {
    // The first in the list: administrators get no links.
    await registerUser(page);
    await page.context().clearCookies();
    await signIn(page, administrator);
    await page.goto('/admin');
    const manage = page.getByRole('button', { name: /^Manage/ }).first();
    await expect(manage).toBeVisible();
    await expectNoViolations(page);
    await manage.click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectNoViolations(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await expect(page.getByRole('button', { name: 'Copy link' }).last()).toBeFocused();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Done' }).click();
    for (const name of ['New password link', 'Storage limit']) {
      await manage.click();
      await page.getByRole('menuitem', { name }).click();
      await expect(page.getByRole('dialog', { name })).toBeVisible();
      await expectNoViolations(page);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

  test('while the app loads, and when loading fails', async ({ page }) => {
    await registerUser(page);
    let answer: 'hold' | 'abort' = 'hold';
    await page.route('**/api/user', (route) => (answer === 'hold' ? undefined : route.abort()));
    await page.goto('/');
    await expect(page.getByText('Loading...')).toBeVisible();
    await expectNoViolations(page);
    answer = 'abort';
    await page.reload();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectNoViolations(page);
  });

  test('on a tooltip, on a page and in its header', async ({ page }) => {
    await registerUser(page);
    await createPet(page, { name: 'Biscuit', species: 'dog' });
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Edit Biscuit' }).focus();
    await expect(page.getByRole('tooltip')).toBeAttached();
    await expectNoViolations(page);
    await page.getByRole('radio', { name: 'Follow the system' }).hover();
    await expect(page.getByRole('tooltip', { name: 'Follow the system' })).toBeAttached();
    await expectNoViolations(page);
  });

  test('on home, empty and with a photo, and in its dialogs', async ({ page }) => {
    await registerUser(page);
    await page.goto('/');
    await expect(page.getByText('No mems yet - start adding some!')).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Add Mems' }).click();
    await expect(page.getByRole('dialog', { name: 'Add New Mems' })).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Upload Memory' }).click();
    await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await uploadMemory(page, await smallPhoto(), 'At the lake');
    await expect(toast(page)).toContainText('Success!');
    await expectNoViolations(page);
    await finishUpload(page);
    await expect(page.getByText('1 memory captured')).toBeVisible();
    await expectNoViolations(page);
  });

  test("on a memory's dialog, also while editing", async ({ page }) => {
    await registerUser(page);
    await createMemory(page, await smallPhoto(), 'By the sea');
    await createMemory(page, await smallPhoto(), 'At the lake', { tags: 'summer, beach' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Love At the lake' }).click();
    await page.getByRole('button', { name: 'Open At the lake' }).click();
    await expect(page.getByRole('button', { name: 'Loved' })).toBeVisible();
    await expectNoViolations(page);
    await page.getByRole('button', { name: 'Edit Memory' }).click();
    await expect(page.getByLabel('Tags')).toBeVisible();
    await expectNoViolations(page);
  });

  test(
    'on the uploader with a photo, its editor, a failure and a restored session',
    { tag: '@phone' },
    async ({ page, expectErrorResponse }) => {
      expectErrorResponse('/api/objects/upload');
      await registerUser(page);
      await page.goto('/');
      await openUploader(page);
      await choosePhoto(page, await smallPhoto());
      await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole('button', { name: /^Edit photo/ }).click();
      await expect(page.locator('.cropper-view-box')).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.route('**/api/objects/upload', (route) => route.abort());
      await page.getByRole('button', { name: 'Upload photo' }).click();
      await expect(page.getByText('Upload failed', { exact: false }).last()).toBeVisible();
      await expectNoViolations(page);
      await expectPhotoStored(page);
      await page.reload();
      await openUploader(page);
      await expect(page.getByText('Session restored')).toBeVisible();
      await expectNoViolations(page);
    },
  );
});
