import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  animatedAvif,
  animatedGif,
  animatedPng,
  animatedWebp,
  datedPhoto,
  datedWebpWithoutPrefix,
  displayP3Photo,
  fakePhoto,
  largeFile,
} from '../../support/photo-files.ts';
import {
  choosePhoto,
  cropSquare,
  expectTextStored,
  expectPhotoStored,
  finishUpload,
  openUploader,
  smallPhoto,
  transferPhotos,
  uploaderDialog,
  uploadMemory,
} from '../../support/screens/photos.ts';
import { asGrid, displayP3Heic, withNumbers } from '../../../server/testing/photos/heif-photos.ts';
import { keepToasts } from '../../support/screens/toasts.ts';
import { fillSignIn, openMenu, toast } from '../../support/accounts/users.ts';
import { expect, letTimePass, test } from '../fixtures.ts';

const PUTS = /\/uploads\/[0-9a-f-]{36}/;
const retry = (page: Page) => page.getByRole('button', { name: 'Retry upload' }).last();
const upload = (page: Page) => page.getByRole('button', { name: 'Upload photo' });
const uploader = uploaderDialog;
const form = (page: Page) => page.getByRole('dialog', { name: 'Add New Mems' });
const editPhoto = (page: Page) => page.getByRole('button', { name: /^Adjust photo ./ });
const cropBox = (page: Page) => page.locator('.cropper-view-box');

/** Records the requests of a method to URLs that contain a text. */
function watchRequests(page: Page, method: string, part: string): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes(part)) seen.push(request.url());
  });
  return seen;
}

test.beforeEach(async ({ page }) => {
  await letTimePass(page);
  await page.goto('/');
});

test('the uploader accepts one photo and nothing else', async ({ page }) => {
  // The messages would go after five seconds.
  await keepToasts(page);
  await page.reload();
  await openUploader(page);
  await expect(uploader(page).getByText('Drop your files here').last()).toBeVisible();
  if ((page.viewportSize()?.width ?? 0) > 1000) {
    const box = await page.locator('.uppy-Dashboard-inner').boundingBox();
    expect(box?.width).toBe(750);
    expect(box?.height).toBeCloseTo(550, 2);
  }
  await choosePhoto(page, { name: 'story.txt', mimeType: 'text/plain', buffer: Buffer.from('Once') });
  await expect(page.getByText('Please choose a photo').filter({ visible: true })).toHaveCount(1);
  await choosePhoto(page, await smallPhoto());
  await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
  await expect(page.getByText('Please choose a photo').filter({ visible: true })).toHaveCount(0);
  await expect(uploader(page).getByRole('button', { name: 'Choose a photo' })).toBeHidden();
  await expect(editPhoto(page)).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await uploader(page).getByRole('button', { name: 'Replace photo' }).click();
  await (await chooser).setFiles(largeFile());
  await expect(
    uploader(page)
      .getByText(/larger than 10 MB/)
      .filter({ visible: true }),
  ).toHaveCount(1);
  await expect(uploader(page).getByText('Drop your files here').last()).toBeVisible();
});

test('animations can be uploaded, not edited', async ({ page }) => {
  await openUploader(page);
  let choose = uploader(page).getByRole('button', { name: 'Choose a photo' });
  for (const animation of [animatedGif, animatedWebp, animatedPng, animatedAvif]) {
    const photo = await animation();
    await test.step(photo.name, async () => {
      const chooser = page.waitForEvent('filechooser');
      await choose.click();
      await (await chooser).setFiles(photo);
      await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
      // Its preview is made after its bytes were read.
      await expect(uploader(page).getByRole('img', { name: photo.name })).toBeVisible();
      await expect(editPhoto(page)).toBeHidden();
    });
    choose = uploader(page).getByRole('button', { name: 'Replace photo' });
  }
});

test('the preview of a HEIC has its colors: by profile, by numbers, and by those of its tiles', async ({
  page,
}) => {
  const profile = await displayP3Heic();
  const photos = {
    profile,
    numbers: withNumbers(profile, { primaries: 12, transfer: 13 }),
    tiles: asGrid(profile),
  };
  await openUploader(page);
  let choose = uploader(page).getByRole('button', { name: 'Choose a photo' });
  for (const [name, buffer] of Object.entries(photos)) {
    const chooser = page.waitForEvent('filechooser');
    await choose.click();
    await (await chooser).setFiles({ name: `${name}.heic`, mimeType: 'image/heic', buffer });
    const preview = uploader(page).getByRole('img', { name: `${name}.heic` });
    await expect.poll(() => preview.evaluate(colorsOfPreview)).toEqual([]);
    choose = uploader(page).getByRole('button', { name: 'Replace photo' });
  }
});

test('a photo keeps its date, edited or not, with each form of EXIF block', async ({ page }) => {
  const date = '2019:07:04 09:05:00';
  const withPrefix = await datedPhoto(date, 'webp');
  const photos = [
    { photo: withPrefix, isEdited: false },
    { photo: withPrefix, isEdited: true },
    { photo: await datedWebpWithoutPrefix(date), isEdited: true },
    { photo: await datedPhoto(date, 'png'), isEdited: true },
  ];
  for (const { photo, isEdited } of photos)
    await test.step(`${photo.name}${isEdited ? ', edited' : ''}`, async () => {
      const completing = page.waitForRequest('**/api/memories/complete-upload');
      await openUploader(page);
      await choosePhoto(page, photo);
      if (isEdited) await cropSquare(page);
      await upload(page).click();
      await finishUpload(page);
      expect((await completing).postDataJSON()).toMatchObject({ exifDate: '2019-07-04T09:05' });
    });
});

test('an edited photo keeps the colors of Display P3', async ({ page }) => {
  await page.addInitScript(recordSentPhotos);
  await page.reload();
  for (const format of ['jpeg', 'png', 'webp'] as const)
    await test.step(format, async () => {
      await openUploader(page);
      await choosePhoto(page, await displayP3Photo(format));
      await cropSquare(page);
      await upload(page).click();
      await finishUpload(page);
      const { size, type, color } = await page.evaluate(readSentPhoto);
      expect([size, type]).toEqual([[200, 200], `image/${format}`]);
      // The nearest that sRGB has is (234, 51, 35).
      for (const [index, value] of [255, 0, 0].entries())
        expect(Math.abs((color[index] ?? -100) - value)).toBeLessThan(6);
    });
});

test('a failed PUT can be retried', async ({ page }) => {
  // An error that is not retried by itself.
  await page.route(PUTS, (route) => route.fulfill({ status: 501 }));
  await uploadMemory(page, await smallPhoto(), 'At last');
  // One place says so.
  await expect(page.getByText('Upload failed', { exact: true })).toBeVisible();
  await expect(toast(page)).toBeHidden();
  await page.unroute(PUTS);
  await retry(page).click();
  await expect(toast(page)).toContainText('Success!');
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('an upload survives a broken connection', async ({ page, context }) => {
  const puts = watchRequests(page, 'PUT', '/uploads/');
  await page.route(PUTS, () => {}, { times: 1 }); // never answered
  await uploadMemory(page, await smallPhoto(), 'In the train');
  await expect.poll(() => puts.length).toBe(1);
  await context.setOffline(true);
  await expect(uploader(page).getByText('Waiting for the network')).toBeVisible();
  await context.setOffline(false);
  await finishUpload(page);
  expect(puts).toHaveLength(2);
});

test('of two dropped photos the first is used, with a message', async ({ page }) => {
  await openUploader(page);
  await expect(uploader(page).getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  const [first, second] = [await smallPhoto(), { ...(await smallPhoto(300, 400)), name: 'second.jpg' }];
  await transferPhotos(page.locator('.uppy-Dashboard'), 'dragover', [first, second]);
  const hints = uploader(page).getByText('Drop your files here').filter({ visible: true });
  await expect(hints).toHaveCount(1);
  await transferPhotos(page.locator('.uppy-Dashboard'), 'drop', [first, second]);
  await expect(uploader(page).getByText('One photo at a time. We used the first one.').first()).toBeVisible();
  await expect(uploader(page).getByRole('img', { name: 'small.jpg' })).toBeVisible();
  await expect(uploader(page).getByText('second.jpg')).toBeHidden();
});

test('the title names the step', async ({ page }) => {
  const titled = (name: string) => page.getByRole('dialog', { name, exact: true });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(PUTS, async (route) => {
    await held;
    await route.continue();
  });
  await openUploader(page);
  await expect(titled('Choose the photo')).toBeVisible();
  const long = 'at-the-lake-in-the-summer-of-2024-with-everybody.jpeg';
  await choosePhoto(page, { ...(await smallPhoto()), name: long });
  await expect(titled('Your photo')).toBeVisible();
  await expect(uploader(page).getByRole('img', { name: long })).toBeVisible();
  await expect(
    uploader(page)
      .getByText(/at-the-lake|KB/)
      .filter({ visible: true }),
  ).toHaveCount(0);
  await editPhoto(page).click();
  await expect(titled('Adjust your photo')).toBeVisible();
  await page.keyboard.press('Escape');
  await upload(page).click();
  await expect(titled('Uploading your photo')).toBeVisible();
  await expect(
    uploader(page)
      .getByText(/\bfiles?\b/i)
      .filter({ visible: true }),
  ).toHaveCount(0);
  release();
  await expect(uploader(page)).toBeHidden();
  await expect(toast(page)).toContainText('Success!');
});

test('a photo that arrives damaged is sent again by Retry', async ({ page }) => {
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/objects/upload'))
      sent.push((request.postDataJSON() as { sha256?: string }).sha256);
  });
  const json = { message: 'The photo arrived damaged. Please try again.' };
  await page.route('**/complete-upload', (route) => route.fulfill({ status: 409, json }), { times: 1 });
  const photo = await smallPhoto();
  await openUploader(page);
  await choosePhoto(page, photo);
  await upload(page).click();
  await expect(uploader(page).getByText(json.message)).toBeVisible();
  await retry(page).click();
  await finishUpload(page);
  const sha256 = createHash('sha256').update(photo.buffer).digest('hex');
  expect(sent).toEqual([sha256, sha256]);
});

test('an upload can be paused, resumed and cancelled', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const puts = watchRequests(page, 'PUT', '/uploads/');
  await page.route(PUTS, async (route) => {
    await held;
    await route.continue().catch(() => {}); // The paused one was aborted.
  });
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await expect(uploader(page).getByRole('progressbar')).toBeAttached();
  await expect.poll(() => puts.length).toBe(1);
  await expect(page.getByRole('button', { name: /^Pause/ })).toHaveCount(1);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(uploader(page).getByText('Paused', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect.poll(() => puts.length).toBe(2);
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  await expect(page.getByRole('dialog', { name: 'Add New Mems' })).toBeVisible();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  release();
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();
});

test('an interrupted upload is restored for its owner, in one tab, until logout', async ({
  page,
  context,
  server,
}) => {
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await expectPhotoStored(page);
  const other = await context.newPage();
  await other.goto('/');
  await openUploader(other);
  await expect(other.getByRole('button', { name: 'Choose a photo' })).toBeVisible();
  await expect(other.getByText('Session restored')).toBeHidden();
  await other.close();

  await page.reload();
  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeVisible();
  await expect(page.getByText('Your photo is still here. You can pick up where you left off.')).toBeVisible();
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByText('1 memory captured')).toBeVisible();

  await openUploader(page);
  await expect(page.getByText('Session restored')).toBeHidden();
  await choosePhoto(page, await smallPhoto());
  await expectPhotoStored(page);
  await page.reload();
  await expect(page.getByText('1 memory captured')).toBeVisible();
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page)).toContainText('Signed out');
  // The share sheet's keeps whether somebody is signed in.
  const names = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(async () => (await names()).filter((name) => name !== 'share-target')).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'theme'))).toEqual([]);
  await page.goto('/auth');
  await fillSignIn(page, { email: server.state.user.email, password: server.state.password });
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await openUploader(page);
  await expect(uploader(page).getByText('Drop your files here').last()).toBeVisible();
  await expect(page.getByText('Session restored')).toBeHidden();
});

test("the form's draft is restored with the photo for its owner, in one tab, until it is saved or logout", async ({
  page,
  context,
}) => {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('The first swim');
  await page.getByLabel('Tags').fill('lake, summer');
  await page.getByLabel('Memory Date').fill('2024-06-01');
  await form(page).getByLabel('Time').fill('18:30');
  // The first tab holds the draft before the other one asks for it.
  await expectTextStored(page, '18:30');

  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Add Mems' }).click();
  await other.getByLabel('Caption').fill('Something else');
  await other.close();

  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await expectPhotoStored(page);
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(form(page).getByText('Session restored')).toBeVisible();
  await expect(page.getByLabel('Caption')).toHaveValue('The first swim');
  await expect(page.getByLabel('Tags')).toHaveValue('lake, summer');
  await expect(page.getByLabel('Memory Date')).toHaveValue('2024-06-01');
  await expect(form(page).getByLabel('Time')).toHaveValue('18:30');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await upload(page).click();
  await finishUpload(page);
  await page.getByRole('button', { name: 'Open The first swim' }).click();
  await expect(page.getByRole('dialog').getByText('June 1, 2024 at 6:30 PM')).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('');
  await expect(form(page).getByText('Session restored')).toBeHidden();
  await page.getByLabel('Caption').fill('A private caption');
  await expectTextStored(page, 'A private caption');
  await page.reload();
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page)).toContainText('Signed out');
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
    .not.toContain('A private caption');
});

test('a second tab stores its draft when the first is closed', async ({ page, context }) => {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('The first swim');
  await expectTextStored(page, 'The first swim');
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Add Mems' }).click();
  await other.getByLabel('Caption').fill('Something else');
  await page.close();
  await expectTextStored(other, 'Something else');
});

test('a draft expires after a day', async ({ page }) => {
  await page.clock.setFixedTime('2026-03-14T12:00:00Z');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('Yesterday');
  await expectTextStored(page, 'Yesterday');
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect(page.getByLabel('Caption')).toHaveValue('Yesterday');
  await page.clock.setFixedTime('2026-03-15T13:00:00Z');
  await page.reload();
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Yesterday');
  await expect(page.getByLabel('Caption')).toHaveValue('');
});

test('the photo editor holds the focus; Escape closes it first, then the uploader', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await smallPhoto());
  await editPhoto(page).click();
  await expect(cropBox(page)).toBeVisible();
  for (const name of ['Adjust photo', 'Save changes', 'Upload photo', 'Replace photo'])
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  await expect(uploader(page).getByRole('button', { name: 'Cancel' })).toHaveCount(1);
  await expect.poll(() => isFocusIn(page, '#uppy-DashboardContent-panel--editor')).toBe(true);
  for (let presses = 0; presses < 15; presses++) {
    await page.keyboard.press('Tab');
    expect(await isFocusIn(page, '#uppy-DashboardContent-panel--editor, [aria-label=Close]')).toBe(true);
  }
  await uploader(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(upload(page)).toBeVisible();
  await editPhoto(page).click();
  await expect(cropBox(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(cropBox(page)).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
  await expect(editPhoto(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(uploader(page)).toBeHidden();
  await expect(form(page)).toBeVisible();
});

test('an uploader that failed to load can be reloaded without losing the form', async ({ page }) => {
  const code = /\/assets\/photo-uploader-[^/]+$/;
  await page.route(code, (route) => route.abort());
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('Not lost');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  const failure = uploader(page).getByRole('alert').getByText('The uploader could not be loaded.');
  await expect(failure).toBeVisible();
  await uploader(page).getByRole('button', { name: 'Try again' }).click();
  await expect(failure).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Caption')).toHaveValue('Not lost');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await expect(failure).toBeVisible();
  await page.unroute(code);
  await uploader(page).getByRole('button', { name: 'Try again' }).click();
  await choosePhoto(page, await smallPhoto());
  // With its styles.
  await expect(page.locator('.uppy-Dashboard-innerWrap')).toHaveCSS('display', 'flex');
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByRole('button', { name: 'Open Not lost' })).toBeVisible();
});

test('a rejected photo restores the form with the reason, until another is chosen', async ({ page }) => {
  await page.route(
    '**/api/objects/upload',
    (route) => route.fulfill({ status: 413, json: { message: 'Your album is full.' } }),
    { times: 1 },
  );
  await uploadMemory(page, await smallPhoto(), 'The right words');
  await expect(toast(page)).toHaveText('ErrorFailed to upload memory');
  await expect(form(page).getByRole('alert')).toContainText('Your album is full.');
  const json = { message: 'This file is not a photo we can read.' };
  await page.route('**/complete-upload', (route) => route.fulfill({ status: 415, json }), { times: 1 });
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, fakePhoto());
  await upload(page).click();
  await expect(page.getByRole('dialog', { name: 'Add New Mems' }).getByRole('alert')).toContainText(
    json.message,
  );
  await expect(page.getByLabel('Caption')).toHaveValue('The right words');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await smallPhoto());
  await upload(page).click();
  await finishUpload(page);
  await expect(page.getByRole('button', { name: 'Open The right words' })).toBeVisible();
});

test('a size that a proxy rejects is said in the form, without a retry', async ({ page }) => {
  const body = '<h1>413 Request Entity Too Large</h1>';
  const proxy = { status: 413, contentType: 'text/html', body };
  await page.route(PUTS, (route) => route.fulfill(proxy), { times: 1 });
  await uploadMemory(page, await smallPhoto(), 'The right words');
  await expect(form(page).getByRole('alert')).toContainText('This photo is too large for this server.');
  await expect(page.getByRole('button', { name: /retry/i })).toHaveCount(0);
  await expect(page.getByLabel('Caption')).toHaveValue('The right words');
});

test('double clicks on every button create one memory', async ({ page, server }) => {
  await page.getByRole('button', { name: 'Add Mems' }).dblclick();
  await page.getByLabel('Caption').fill('Only once');
  await page.getByRole('button', { name: 'Upload Memory' }).dblclick();
  await choosePhoto(page, await smallPhoto());
  await page.getByRole('button', { name: 'Upload photo' }).dblclick();
  await expect(page.getByText('1 memory captured')).toBeVisible();
  expect(server.state.album.memories).toHaveLength(1);
  await page.getByRole('button', { name: 'Open Only once' }).dblclick();
  await expect(page.getByRole('dialog', { name: 'Only once' })).toBeVisible();
});

function isFocusIn(page: Page, selector: string): Promise<boolean> {
  return page.evaluate((selector) => document.activeElement?.closest(selector) instanceof Element, selector);
}

/** Runs in the page. Orange and green of the HEIC in Display P3; a grid repeats them. @returns the wrong ones */
function colorsOfPreview(preview: Element): string[] {
  const image = preview as HTMLImageElement;
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context?.drawImage(image, 0, 0);
  const tile = width / Math.max(1, Math.round(width / 64));
  return [
    { x: tile / 4, color: [213, 115, 70] },
    { x: (3 * tile) / 4, color: [52, 172, 66] },
  ].flatMap(({ x, color }) => {
    const found = [...(context?.getImageData(x, tile / 6, 1, 1).data ?? [])];
    return color.every((value, index) => Math.abs(value - (found[index] ?? -99)) < 10) ? [] : [found.join()];
  });
}

type RecordingWindow = typeof window & { sentPhoto?: Blob };

/** Runs in the page, before its own code. */
function recordSentPhotos(): void {
  type Send = (this: XMLHttpRequest, body?: Document | XMLHttpRequestBodyInit | null) => void;
  const send: Send = Reflect.get(XMLHttpRequest.prototype, 'send');
  XMLHttpRequest.prototype.send = function (this: XMLHttpRequest, body) {
    if (body instanceof Blob) (window as RecordingWindow).sentPhoto = body;
    send.call(this, body);
  };
}

/** Runs in the page. The color is in Display P3. */
async function readSentPhoto(): Promise<{ size: number[]; type: string; color: number[] }> {
  const photo = (window as RecordingWindow).sentPhoto;
  if (!photo) throw new Error('No photo was sent');
  const bitmap = await createImageBitmap(photo);
  const options = { colorSpace: 'display-p3' } as const;
  const context = new OffscreenCanvas(1, 1).getContext('2d', options);
  context?.drawImage(bitmap, 0, 0);
  const color = [...(context?.getImageData(0, 0, 1, 1, options).data ?? [])];
  return { size: [bitmap.width, bitmap.height], type: photo.type, color };
}
