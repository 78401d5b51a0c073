import { expectNoViolations } from '../../support/axe.ts';
import { choosePhoto, expectPhotoStored, openUploader, smallPhoto } from '../../support/screens/photos.ts';
import { addPet } from '../albums.ts';
import { expectNoViolationsAtBothWidths } from '../both-widths.ts';
import { expect, letTimePass, phone, test } from '../fixtures.ts';

test('each page has a title', async ({ page, server }) => {
  server.state.isSignedIn = false;
  await page.goto('/');
  await expect(page).toHaveTitle('Mems Are Forever');
  await page.goto('/auth');
  await expect(page).toHaveTitle('Sign in · Mems Are Forever');
  await page.goto('/nowhere');
  await expect(page).toHaveTitle('Page not found · Mems Are Forever');
});

test('the chosen theme is applied before the first paint', async ({ page, server }) => {
  server.state.isSignedIn = false;
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

test('the theme follows the system until the user chooses one', async ({ page, server }) => {
  server.state.isSignedIn = false;
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

test.describe('axe finds nothing', () => {
  test('while the app loads, and when loading fails', async ({ page }) => {
    let reaction: 'hold' | 'abort' = 'hold';
    await page.route('**/api/user', (route) => (reaction === 'hold' ? undefined : route.abort()));
    await page.goto('/');
    await expect(page.getByText('Loading...')).toBeVisible();
    await expectNoViolations(page);
    reaction = 'abort';
    await page.reload();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expectNoViolations(page);
  });

  test('on a tooltip', async ({ page, server }) => {
    addPet(server, { name: 'Biscuit' });
    await page.goto('/pets');
    await page.getByRole('button', { name: 'Edit Biscuit' }).focus();
    await expect(page.getByRole('tooltip')).toBeAttached();
    await expectNoViolations(page);
  });

  test.describe('at both widths', () => {
    test.use(phone);
    test('on the uploader with a photo, its editor, a failure and a restored session', async ({ page }) => {
      await letTimePass(page);
      await page.goto('/');
      await openUploader(page);
      await choosePhoto(page, await smallPhoto());
      await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
      await expectNoViolationsAtBothWidths(page);
      await page.getByRole('button', { name: /^Adjust photo/ }).click();
      await expect(page.locator('.cropper-view-box')).toBeVisible();
      await expectNoViolationsAtBothWidths(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.route('**/api/objects/upload', (route) => route.fulfill({ status: 501 }));
      await page.getByRole('button', { name: 'Upload photo' }).click();
      await expect(page.getByText('Upload failed', { exact: false }).last()).toBeVisible();
      await expectNoViolationsAtBothWidths(page);
      await expectPhotoStored(page);
      await page.reload();
      await openUploader(page);
      await expect(page.getByText('Session restored')).toBeVisible();
      await expectNoViolationsAtBothWidths(page);
    });
  });
});
