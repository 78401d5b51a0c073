import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { fillSignIn, openMenu, signUpQuickly, toast } from './people.ts';
import { datedPhoto, fakePhoto } from './photo-files.ts';
import { choosePhoto, finishUpload, openUploader, smallPhoto, uploadMemory } from './photos.ts';

const PUTS = /\/uploads\/[0-9a-f-]{36}/;
const COMPLETE = '**/api/memories/complete-upload';
const retry = (page: Page) => page.getByRole('button', { name: 'Retry upload' }).last();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload 1 file' });
const uploader = (page: Page) => page.getByRole('dialog', { name: 'Choose the photo' });

/** The requests of one method to addresses that hold a text, as they are made. */
function watchRequests(page: Page, method: string, part: string): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes(part)) seen.push(request.url());
  });
  return seen;
}

test.beforeEach(async ({ page }) => {
  await signUpQuickly(page);
  await page.goto('/');
});

test('one photo is asked for, at the size of a sheet, and nothing else is taken', async ({ page }) => {
  await openUploader(page);
  await expect(uploader(page).getByText('Drop your files here').last()).toBeVisible();
  if ((page.viewportSize()?.width ?? 0) > 1000) {
    const box = await page.locator('.uppy-Dashboard-inner').boundingBox();
    expect(box?.width).toBe(750);
    expect(box?.height).toBe(550);
  }
  await choosePhoto(page, { name: 'story.txt', mimeType: 'text/plain', buffer: Buffer.from('Once') });
  await expect(page.getByText('Please choose a photo').first()).toBeVisible();
  await choosePhoto(page, await smallPhoto());
  await expect(page.getByText('1 file selected')).toBeVisible();
  await expect(uploader(page).getByRole('button', { name: 'Choose a photo' })).toBeHidden();
});

test('a PUT that fails can be tried again, and ends as complete', async ({ page, expectRefusal }) => {
  expectRefusal('/uploads/');
  await page.route(PUTS, (route) => route.abort());
  await uploadMemory(page, await smallPhoto(), 'At last');
  await expect(toast(page)).toContainText('Upload Failed');
  await expect(toast(page)).toContainText('Failed to upload image to storage');
  await expect(uploader(page).getByText('Upload failed')).toBeVisible();
  await expect(
    uploader(page)
      .getByRole('alert')
      .getByText(/The connection was interrupted/),
  ).toBeVisible();
  const details = page.waitForEvent('dialog');
  const pressed = page.getByRole('button', { name: 'Show error details' }).last().click();
  const shown = await details;
  expect(shown.message()).toContain('The connection was interrupted');
  await shown.accept();
  await pressed;
  await page.unroute(PUTS);
  await retry(page).click();
  await expect(toast(page)).toContainText('Success!');
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('when only the last step fails, only that is tried again', async ({ page, expectRefusal }) => {
  expectRefusal('/api/memories/complete-upload');
  const puts = watchRequests(page, 'PUT', '/uploads/');
  const completions = watchRequests(page, 'POST', '/complete-upload');
  await page.route(COMPLETE, (route) => route.abort(), { times: 1 });
  await uploadMemory(page, await smallPhoto(), 'Sent once');
  await expect(toast(page)).toContainText('Error');
  await expect(toast(page)).toContainText('Failed to upload memory');
  await retry(page).click();
  await expect(toast(page)).toContainText('Success!');
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
  expect(puts).toHaveLength(1);
  expect(completions).toHaveLength(2);
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('');
});

test('an address that has expired is signed anew', async ({ page, expectRefusal }) => {
  expectRefusal('/uploads/');
  const signed = watchRequests(page, 'POST', '/api/objects/upload');
  await page.route(
    PUTS,
    (route) => route.fulfill({ status: 403, json: { message: 'Request has expired' } }),
    {
      times: 1,
    },
  );
  await uploadMemory(page, await smallPhoto());
  await expect(uploader(page).getByRole('alert').getByText('Request has expired')).toBeVisible();
  await retry(page).click();
  await expect(toast(page)).toContainText('Success!');
  expect(signed).toHaveLength(2);
});

test('a lost session says so in the uploader, too', async ({ page, context, expectRefusal }) => {
  expectRefusal('/api/objects/upload');
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await context.clearCookies();
  await page.route('**/api/login', () => {}); // never answered: the notice can be read
  await upload(page).click();
  await expect(uploader(page).getByRole('alert').getByText('Authorization required')).toBeVisible();
  await expect(toast(page)).toContainText('You are logged out. Logging in again...');
});

test('an upload can be paused, resumed and cancelled', async ({ page, expectRefusal }) => {
  expectRefusal('/uploads/');
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  const puts = watchRequests(page, 'PUT', '/uploads/');
  await page.route(PUTS, async (route) => {
    await held;
    await route.continue().catch(() => {}); // The one that was paused is gone.
  });
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await expect(uploader(page).getByRole('progressbar')).toBeAttached();
  await expect.poll(() => puts.length).toBe(1);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(uploader(page).getByText('Paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(() => puts.length).toBe(2);
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(page.getByRole('dialog', { name: 'Add New Mems' })).toBeVisible();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  letThrough();
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('what was cut off is restored: by its owner, in one tab, until logging out', async ({
  page,
  context,
  expectRefusal,
}) => {
  // What is still on its way when the session ends.
  for (const path of ['/objects/', '/api/memories', '/api/memories/stats']) expectRefusal(path);
  const person = await signUpQuickly(page);
  await page.reload();
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await expect.poll(() => keptPhotos(page)).toBe(1);
  const other = await context.newPage();
  await other.goto('/');
  await openUploader(other);
  await expect(other.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  await expect(other.getByText('Session restored')).toBeHidden();
  await other.close();

  await page.reload();
  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeVisible();
  await expect(page.getByText('Your photo is still here. You can go on where you stopped.')).toBeVisible();
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();

  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeHidden();
  await choosePhoto(page, await smallPhoto());
  await expect.poll(() => keptPhotos(page)).toBe(1);
  await page.reload();
  await expect(page.getByText('1 memory captured')).toBeVisible();
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page)).toContainText('Signed out');
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'theme'))).toEqual([]);
  await page.goto('/auth');
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await openUploader(page);
  await expect(uploader(page).getByText('Drop your files here').last()).toBeVisible();
  await expect(page.getByText('Session restored')).toBeHidden();
});

test('a tab that is closed before it hears of its memory makes no second one', async ({
  page,
  expectRefusal,
}) => {
  expectRefusal('/api/memories/complete-upload');
  await page.route(
    COMPLETE,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await uploadMemory(page, await smallPhoto(), 'Only once');
  await expect(toast(page)).toContainText('Failed to upload memory');
  await expect.poll(() => isKeptAsArrived(page)).toBe(true);
  await page.reload();
  await expect(page.getByText('1 memory captured')).toBeVisible();
  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeVisible();
  await upload(page).click();
  await finishUpload(page);
  await page.reload();
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('an edited photo keeps the day on which it was taken', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await datedPhoto('2019:07:04 09:05:00'));
  await page.getByRole('button', { name: /^Edit file/ }).click();
  await expect(page.locator('.cropper-view-box')).toBeVisible();
  await page.getByRole('button', { name: 'Crop square' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.cropper-view-box')).toBeHidden();
  await upload(page).click();
  await finishUpload(page);
  await page.getByRole('button', { name: /^Open / }).click();
  const memory = page.getByRole('dialog', { name: 'Untitled Mem' });
  await expect(memory.getByText('July 4, 2019 at 9:05 AM')).toBeVisible();
  const box = await memory.getByRole('img').boundingBox();
  expect(Math.abs((box?.width ?? 0) - (box?.height ?? 1))).toBeLessThan(4);
});

test('a refused photo brings the form back, with the reason, until another is chosen', async ({
  page,
  expectRefusal,
}) => {
  expectRefusal('/api/memories/complete-upload');
  await uploadMemory(page, fakePhoto(), 'The right words');
  await expect(page.getByRole('dialog', { name: 'Add New Mems' }).getByRole('alert')).toContainText(
    'This file is not a photo we can read.',
  );
  await expect(page.getByLabel('Caption')).toHaveValue('The right words');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByRole('button', { name: 'Open The right words' })).toBeVisible();
});

test('whoever wants to leave while the memory is being made leaves once it is, and nothing is made twice', async ({
  page,
}) => {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(COMPLETE, async (route) => {
    await held;
    await route.continue();
  });
  await uploadMemory(page, await smallPhoto(), 'Once and for all');
  await expect(uploader(page).getByText('Keeping your memory...')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(uploader(page)).toBeVisible();
  letThrough();
  await expect(toast(page)).toContainText('Success!');
  await expect(uploader(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open Once and for all' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('');
});

/** How many photos the browser keeps for an upload that may be cut off. */
function keptPhotos(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('uppy-blobs');
        request.onerror = () => reject(new Error('No database'));
        request.onsuccess = () => {
          const database = request.result;
          const count = (name: string, done: (count: number) => void) => {
            const counting = database.transaction(name).objectStore(name).count();
            counting.onsuccess = () => done(counting.result);
          };
          // The photo and what is known of it are kept one after the other.
          count('files', (photos) =>
            count('metadata', (entries) => {
              database.close();
              resolve(Math.min(photos, entries));
            }),
          );
        };
      }),
  );
}

/** Whether the browser has written down that the photo has arrived, which it does a moment later. */
function isKeptAsArrived(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((resolve, reject) => {
        const request = indexedDB.open('uppy-blobs');
        request.onerror = () => reject(new Error('No database'));
        request.onsuccess = () => {
          const reading = request.result.transaction('metadata').objectStore('metadata').getAll();
          reading.onsuccess = () => {
            request.result.close();
            const records = reading.result as { metadata: string }[];
            resolve(records.some(({ metadata }) => metadata.includes('"uploadComplete":true')));
          };
        };
      }),
  );
}
