import { mkdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { expectNoViolations } from '../../support/axe.ts';
import { smallPhoto } from '../../support/screens/photos.ts';
import { fillSignIn, toast } from '../../support/accounts/users.ts';
import { addPet } from '../albums.ts';
import { expect, test } from '../fixtures.ts';

const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });

async function makeFolder(path: string, count: number): Promise<string> {
  await mkdir(path, { recursive: true });
  for (let n = 0; n < count; n++) await writeFile(join(path, `rex ${n}.jpg`), (await smallPhoto()).buffer);
  return path;
}

async function makeZip(path: string, files: Record<string, Buffer>): Promise<string> {
  const writer = new ZipWriter(new BlobWriter('application/zip'));
  for (const [name, bytes] of Object.entries(files))
    await writer.add(name, new Uint8ArrayReader(new Uint8Array(bytes)));
  await writeFile(path, Buffer.from(await (await writer.close()).arrayBuffer()));
  return path;
}

async function choose(page: Page, button: string | RegExp, files: string | string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(files);
}

declare global {
  interface Window {
    /** Of the uploads, without a response: the most at a time. */
    mostRequests: number;
    heldWakeLocks: number;
  }
}

/** In the page. */
function watchUploads(): void {
  const send = window.fetch.bind(window);
  let pending = 0;
  window.mostRequests = 0;
  window.heldWakeLocks = 0;
  window.fetch = async (path, options) => {
    const { url } = new Request(path);
    const isUpload = /\/(uploads|batches|complete-upload|upload)\b/.test(url);
    if (isUpload) window.mostRequests = Math.max(window.mostRequests, ++pending);
    try {
      return await send(path, options);
    } finally {
      if (isUpload) pending--;
    }
  };
  const request = () => {
    window.heldWakeLocks++;
    return Promise.resolve({ release: () => Promise.resolve(window.heldWakeLocks--) });
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
}

test('a reload in the middle goes on with the same folder, and adds each once', async ({
  page,
  server,
}, testInfo) => {
  await page.addInitScript(watchUploads);
  const folder = await makeFolder(testInfo.outputPath('dog'), 20);
  let isLeaving = true;
  let answered = 0;
  await page.route('**/api/memories/complete-upload', async (route) => {
    // The page goes away while some are on their way.
    if (isLeaving && ++answered > 8) return;
    await route.continue();
  });
  await page.goto('/add-many');
  page.on('dialog', (dialog) => void dialog.accept());
  await choose(page, 'Choose a folder', folder);
  await expect.poll(() => server.state.album.memories.length).toBe(8);
  // A polite live region, and a screen that stays on.
  await expect(progress(page).getByRole('status')).toHaveText('More than 40 % are done.');
  expect(await page.evaluate(() => window.heldWakeLocks)).toBe(1);
  await page.reload();
  isLeaving = false;
  await expect(progress(page)).toContainText('that are missing will be sent');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await choose(page, 'Choose the same folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('20 of 20 are in');
  await expect(progress(page).getByRole('status')).toHaveText('All done.');
  expect(server.state.album.memories).toHaveLength(20);
  expect(sent.length).toBeLessThanOrEqual(12);
  const { mostRequests, heldWakeLocks } = await page.evaluate(() => ({
    mostRequests: window.mostRequests,
    heldWakeLocks: window.heldWakeLocks,
  }));
  expect(mostRequests).toBeLessThanOrEqual(6);
  expect(heldWakeLocks).toBe(0);
});

test('of thousands of files only the rows in view are in the page', async ({ page }) => {
  await page.goto('/add-many');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    for (let n = 0; n < 3000; n++) data.items.add(new File(['Rex'], `notes ${n}.txt`, { lastModified: 1 }));
    return data;
  });
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect(progress(page)).toContainText('3,000 files were not added.');
  const rows = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await expect(rows.first()).toHaveAttribute('aria-setsize', '3000');
  expect(await rows.count()).toBeLessThan(40);
});

test('a lost connection and an ended session lose nothing', async ({ page, server }, testInfo) => {
  const folder = await makeFolder(testInfo.outputPath('dog'), 10);
  let failures = 0;
  for (const path of ['uploads/known', 'objects/upload', 'memories/complete-upload'])
    await page.route(`**/api/${path}`, (route) => (failures++ % 3 === 0 ? route.abort() : route.continue()));
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page)).toContainText('Trying again...');
  server.state.isSignedIn = false;
  await expect(page).toHaveURL(/\/auth/);
  await fillSignIn(page, { email: server.state.user.email, password: server.state.password });
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('link', { name: 'Add many' }).click();
  await choose(page, 'Choose the same folder', folder);
  await expect
    .poll(async () => {
      // Does not wait for the next retry.
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      return progress(page).getByRole('heading').textContent();
    })
    .toBe('10 of 10 are in');
  expect(server.state.album.memories).toHaveLength(10);
});

test('a size that a proxy or the server rejects is said beside the photo, without a retry', async ({
  page,
}, testInfo) => {
  const folder = await makeFolder(testInfo.outputPath('dog'), 3);
  const body = '<h1>413 Request Entity Too Large</h1>';
  const proxy = { status: 413, contentType: 'text/html', body };
  await page.route(/\/uploads\/[0-9a-f-]{36}/, (route) => route.fulfill(proxy), { times: 1 });
  const tooLarge = { status: 413, json: { code: 'too-large', message: 'This photo is larger than 50 MB.' } };
  await page.route('**/complete-upload', (route) => route.fulfill(tooLarge), { times: 1 });
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('1 of 3 are in');
  const files = page.getByRole('list', { name: 'Chosen files' });
  await expect(files.getByText(/^This photo is too large for this server\./)).toHaveCount(1);
  await expect(files.getByText('This photo is larger than 50 MB.')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /again|retry/i })).toHaveCount(0);
});

test('a full album says how to make room, and takes the rest when it is chosen again', async ({
  page,
  server,
}, testInfo) => {
  const folder = await makeFolder(testInfo.outputPath('dog'), 3);
  const { limitBytes } = server.state.storage;
  server.state.storage.limitBytes = 1;
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page)).toContainText('3 files were not added.');
  await expect(progress(page).getByRole('link', { name: 'Recently deleted' })).toBeVisible();
  await expect(page.getByRole('button', { name: /again|retry/i })).toHaveCount(0);
  server.state.storage.limitBytes = limitBytes;
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('3 of 3 are in');
});

test('a photo that took too long to read is said, and sent again by hand only', async ({
  page,
  server,
}, testInfo) => {
  const folder = await makeFolder(testInfo.outputPath('dog'), 4);
  const message = 'This photo took too long to read. You can try again in ten minutes.';
  const slow = { status: 503, headers: { 'Retry-After': '600' }, json: { code: 'decode-timeout', message } };
  const sent = { photos: 0, completions: 0 };
  await page.route(/\/uploads\/[0-9a-f-]{36}/, (route) => (sent.photos++, route.continue()));
  await page.route('**/complete-upload', (route) =>
    sent.completions++ === 0 ? route.fulfill(slow) : route.continue(),
  );
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('3 of 4 are in');
  await expect(progress(page)).toContainText('All done.');
  await expect(page.getByRole('list', { name: 'Chosen files' }).getByText(message)).toHaveCount(1);
  expect(sent).toEqual({ photos: 4, completions: 4 });
  await page.getByRole('button', { name: 'Try all again' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('4 of 4 are in');
  expect(sent).toEqual({ photos: 4, completions: 5 });
  expect(server.state.album.memories).toHaveLength(4);
});

test('two tabs add each photo once, one after the other', async ({ page, context, server }, testInfo) => {
  const folder = await makeFolder(testInfo.outputPath('dog'), 12);
  let answered = 0;
  await page.route('**/api/memories/complete-upload', (route) =>
    ++answered > 4 ? undefined : route.continue(),
  );
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('4 of 12 are in');
  const other = await context.newPage();
  await other.goto('/add-many');
  await choose(other, 'Choose the same folder', folder);
  await expect(progress(other)).toContainText('Another tab of this browser is adding them.');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(progress(other).getByRole('heading')).toHaveText('12 of 12 are in');
  expect(server.state.album.memories).toHaveLength(12);
});

test('photos in the trash are offered back, and dropped files come in', async ({ page, server }) => {
  const { buffer } = await smallPhoto();
  const drop = async () => {
    const transfer = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'rex.jpg', { type: 'image/jpeg', lastModified: 1 }));
        return data;
      },
      [...buffer],
    );
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  };
  await page.goto('/add-many');
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible();
  await drop();
  await expect(progress(page).getByRole('heading')).toHaveText('1 of 1 are in');
  const memoryId = server.state.album.memories[0]!.id;
  server.state.album.delete(memoryId);
  const sha256 = createHash('sha256').update(buffer).digest('hex');
  server.state.knownPhotos.push({ sha256, memoryId, isDeleted: true });
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(progress(page)).toBeHidden();
  // The next toast would wait for this one.
  await expect(toast(page)).toContainText('1 photo added');
  await toast(page).getByRole('button', { name: 'Dismiss' }).click();
  await drop();
  await expect(progress(page)).toContainText('One of them is in Recently deleted.');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(toast(page)).toContainText('Back in your album');
  expect(server.state.album.memories).toHaveLength(1);
});

test('a Takeout in two parts is shown before anything is sent, and comes in with its details', async ({
  page,
  server,
}, testInfo) => {
  const { id: rex } = addPet(server, { name: 'Rex' });
  const folder = 'Takeout/Google Photos';
  const photos = {
    [`${folder}/Rex/IMG_1.jpg`]: (await smallPhoto()).buffer,
    [`${folder}/Photos from 2018/IMG_2.jpg`]: (await smallPhoto()).buffer,
  };
  const sidecar = (more: object) =>
    Buffer.from(JSON.stringify({ photoTakenTime: { timestamp: '1546344000' }, ...more }));
  const parts = [
    await makeZip(testInfo.outputPath('takeout-001.zip'), photos),
    await makeZip(testInfo.outputPath('takeout-002.zip'), {
      [`${folder}/Rex/IMG_1.jpg.supplemental-met.json`]: sidecar({
        description: 'First snow',
        favorited: true,
      }),
      [`${folder}/Photos from 2018/IMG_2.jpg.json`]: sidecar({}),
    }),
  ];
  await page.goto('/add-many');
  await choose(page, 'Choose photos', parts);
  const preview = page.getByRole('region', { name: 'What is in your zips' });
  await expect(preview).toContainText('2 photos in your zips');
  await expect(preview).toContainText('that are free');
  await expectNoViolations(page);
  expect(server.state.album.memories).toEqual([]);
  await preview.getByRole('checkbox', { name: 'Rex' }).uncheck();
  await expect(preview.getByRole('button', { name: 'Add 1 photo' })).toBeVisible();
  await preview.getByRole('checkbox', { name: 'Rex' }).check();
  const completed: unknown[] = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/complete-upload') && completed.push(request.postDataJSON()),
  );
  await preview.getByRole('button', { name: 'Add 2 photos' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('2 of 2 are in');
  const { memories } = server.state.album;
  expect(memories.toSorted((a, b) => ((a.caption ?? '') < (b.caption ?? '') ? 1 : -1))).toMatchObject([
    { caption: 'First snow', isLiked: true, petId: rex },
    { caption: null, isLiked: false, petId: null },
  ]);
  const sidecarDate = { source: 'takeout', date: '2019-01-01T12:00' };
  expect(completed).toMatchObject([{ sidecarDate }, { sidecarDate }]);
});
