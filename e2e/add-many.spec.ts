import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import type { Memory } from '#shared/memory';
import { expectNoViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { createPet } from './pets.ts';
import { smallPhoto } from './photos.ts';
import { fillSignIn, registerUser, toast } from './users.ts';

/** By the page: it repeats a request whose connection the server has just closed. */
const stored = (page: Page) =>
  page.evaluate(async () => (await (await fetch('/api/memories?limit=1000')).json()) as Memory[]);
const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });

/** A folder of photos, the later ones named by day. */
async function makeFolder(path: string, count: number): Promise<string> {
  await mkdir(path, { recursive: true });
  for (let n = 0; n < count; n++) {
    const { buffer } = await smallPhoto();
    await writeFile(join(path, n % 2 ? `IMG_201901${10 + n}_083059.jpg` : `rex ${n}.jpg`), buffer);
  }
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

test(
  'a folder comes in, with its faults named, and is taken back',
  { tag: '@phone' },
  async ({ page, expectErrorResponse }, testInfo) => {
    expectErrorResponse('/api/memories/complete-upload');
    await registerUser(page);
    const folder = await makeFolder(testInfo.outputPath('dog'), 12);
    await writeFile(join(folder, 'notes.txt'), 'Rex');
    await writeFile(join(folder, 'empty.jpg'), '');
    await writeFile(join(folder, 'film.mp4'), 'film');
    await writeFile(join(folder, 'broken.jpg'), 'not a picture');
    await writeFile(join(folder, '.DS_Store'), 'hidden');
    await page.goto('/');
    await page.getByRole('link', { name: 'Add many' }).click();
    await expect(page.getByRole('heading', { name: 'Add many' })).toBeVisible();
    await expectNoViolations(page);
    await choose(page, 'Choose a folder', folder);
    await expect(progress(page).getByRole('heading')).toHaveText('12 of 16 are in');
    await expect(progress(page)).toContainText('All done.');
    await expect(progress(page)).toContainText('4 files were not added.');
    for (const reason of [
      'This file is empty.',
      'Videos cannot be added, only photos.',
      'This file is not a photo.',
    ])
      await expect(progress(page)).toContainText(reason);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the list' }).click();
    expect((await saving).suggestedFilename()).toBe('not-added.csv');
    await expectNoViolations(page);
    const dates = (await stored(page)).map(({ memoryDate, dateSource }) => [
      memoryDate?.slice(0, 4),
      dateSource,
    ]);
    expect(dates.filter(([year]) => year === '2019')).toHaveLength(6);

    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(progress(page)).toBeHidden();
    await choose(page, 'Choose a folder', folder);
    await page.getByRole('button', { name: 'Here already 12' }).click();
    await page.getByRole('list', { name: 'Chosen files' }).getByRole('button').first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    expect(await stored(page)).toHaveLength(12);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click();
    await expect(toast(page)).toContainText('12 photos taken back');
    expect(await stored(page)).toEqual([]);
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stored(page)).toHaveLength(12);
  },
);

test('a reload in the middle goes on with the same folder, and adds each once', async ({
  page,
  expectErrorResponse,
}, testInfo) => {
  // What was interrupted is completed first, in case it had arrived.
  expectErrorResponse('/api/memories/complete-upload');
  await registerUser(page);
  const folder = await makeFolder(testInfo.outputPath('dog'), 20);
  let answered = 0;
  await page.route('**/api/memories/complete-upload', async (route) => {
    // The page goes away while some are on their way.
    if (++answered > 8) return;
    await route.continue();
  });
  await page.goto('/add-many');
  page.on('dialog', (dialog) => void dialog.accept());
  await choose(page, 'Choose a folder', folder);
  await expect.poll(async () => (await stored(page)).length).toBeGreaterThanOrEqual(8);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await expect(progress(page)).toContainText('that are missing will be sent');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
  await choose(page, 'Choose the same folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('20 of 20 are in');
  expect(await stored(page)).toHaveLength(20);
  expect(sent.length).toBeLessThanOrEqual(12);
});

test('a lost connection and an ended session lose nothing', async ({
  page,
  context,
  expectErrorResponse,
}, testInfo) => {
  const person = await registerUser(page);
  const folder = await makeFolder(testInfo.outputPath('dog'), 10);
  expectErrorResponse('/api/');
  let failures = 0;
  for (const path of ['uploads/known', 'objects/upload', 'memories/complete-upload'])
    await page.route(`**/api/${path}`, (route) => (failures++ % 3 === 0 ? route.abort() : route.continue()));
  await page.goto('/add-many');
  await choose(page, 'Choose a folder', folder);
  await expect(progress(page)).toContainText('Trying again...');
  await context.clearCookies();
  await expect(page).toHaveURL(/\/auth/);
  await fillSignIn(page, person);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('link', { name: 'Add many' }).click();
  await choose(page, 'Choose the same folder', folder);
  await expect(progress(page).getByRole('heading')).toHaveText('10 of 10 are in');
  expect(await stored(page)).toHaveLength(10);
});

test('two tabs add each photo once, one after the other', async ({
  page,
  context,
  expectErrorResponse,
}, testInfo) => {
  expectErrorResponse('/api/memories/complete-upload');
  await registerUser(page);
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
  expect(await stored(other)).toHaveLength(12);
});

test('photos in the trash are offered back, and dropped files come in', async ({ page }) => {
  await registerUser(page);
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
  await page.goto('/gallery');
  await expect(page.getByText('Upload your first memory to get started!')).toBeVisible();
  await drop();
  await expect(page).toHaveURL('/add-many');
  await expect(progress(page).getByRole('heading')).toHaveText('1 of 1 are in');
  const [memory] = await stored(page);
  await page.request.delete(`/api/memories/${memory?.id}`);
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(progress(page)).toBeHidden();
  await drop();
  await expect(progress(page)).toContainText('One of them is in Recently deleted.');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await expect(toast(page)).toContainText('Back in your album');
  expect(await stored(page)).toHaveLength(1);
});

test('a Takeout in two parts is shown before anything is sent, and comes in with its details', async ({
  page,
}, testInfo) => {
  await registerUser(page);
  const rex = await createPet(page, { name: 'Rex', species: 'dog' });
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
  expect(await stored(page)).toEqual([]);
  await preview.getByRole('checkbox', { name: 'Rex' }).uncheck();
  await expect(preview.getByRole('button', { name: 'Add 1 photo' })).toBeVisible();
  await preview.getByRole('checkbox', { name: 'Rex' }).check();
  await preview.getByRole('button', { name: 'Add 2 photos' }).click();
  await expect(progress(page).getByRole('heading')).toHaveText('2 of 2 are in');
  expect(
    (await stored(page)).toSorted((a, b) => ((a.caption ?? '') < (b.caption ?? '') ? 1 : -1)),
  ).toMatchObject([
    { caption: 'First snow', isLiked: true, petId: rex, dateSource: 'takeout' },
    {
      caption: null,
      isLiked: false,
      petId: null,
      dateSource: 'takeout',
    },
  ]);
});
