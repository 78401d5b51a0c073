import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { registerUser, toast } from './users.ts';
import {
  animatedGif,
  fakePhoto,
  heicPhoto,
  hugePhoto,
  largeFile,
  makeOrientedPhoto,
  QUARTERS,
  truncatedPhoto,
  type Photo,
} from './photo-files.ts';
import {
  createMemory,
  choosePhoto,
  finishUpload,
  openUploader,
  uploaderDialog,
  uploadMemory,
} from './photos.ts';

test.beforeEach(async ({ page }) => {
  await registerUser(page);
  await page.goto('/');
});

test(
  'a HEIC without a type becomes a memory that every browser can show',
  { tag: '@once' },
  async ({ page }) => {
    const headers: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') headers.push(request.headers()['content-type']);
    });
    const signing = page.waitForRequest('**/api/objects/upload');
    await uploadMemory(page, await heicPhoto(), 'From the iPhone');
    const { contentType } = (await signing).postDataJSON() as { contentType: string };
    await finishUpload(page);
    expect(headers).toEqual([contentType]);
    await page.getByRole('button', { name: 'Open From the iPhone' }).click();
    const picture = page.getByRole('dialog').getByRole('img', { name: 'From the iPhone' });
    await expect.poll(() => widthOf(picture), { timeout: 20_000 }).toBeGreaterThan(300);
  },
);

test('the uploader previews a HEIC', { tag: '@once' }, async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await heicPhoto());
  const preview = uploaderDialog(page).getByRole('img', { name: 'IMG_0001.HEIC' });
  await expect(preview).toBeVisible({ timeout: 30_000 });
  expect(await widthOf(preview)).toBe(200);
});

test(
  'an animated GIF plays in the dialog, and cannot be edited into a still',
  { tag: '@once' },
  async ({ page }) => {
    await openUploader(page);
    await choosePhoto(page, await animatedGif());
    await expect(page.getByRole('dialog', { name: 'Your photo', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Edit photo/ })).toBeHidden();
    await page.getByRole('button', { name: 'Upload photo' }).click();
    await finishUpload(page);
    await page.getByRole('button', { name: /^Open / }).click();
    const picture = page.getByRole('dialog').getByRole('img');
    await expect(picture).toHaveAttribute('src', /^\/objects\/[0-9a-f-]+$/);
    await expect(picture).not.toHaveAttribute('srcset');
    const frames = await picture.evaluate(async (image: HTMLImageElement) => {
      const bytes = await (await fetch(image.src)).arrayBuffer();
      const decoder = new ImageDecoder({ data: bytes, type: 'image/gif' });
      await decoder.tracks.ready;
      return decoder.tracks.selectedTrack?.frameCount;
    });
    expect(frames).toBe(2);
  },
);

test('all eight EXIF orientations are shown upright', { tag: '@once' }, async ({ page }) => {
  test.slow();
  for (let orientation = 1; orientation <= 8; orientation += 1)
    await createMemory(page, await makeOrientedPhoto(orientation), `Turned ${orientation}`);
  await page.reload();
  await expect(page.getByText('8 memories captured')).toBeVisible();
  // Newest first.
  for (let orientation = 8; orientation >= 1; orientation -= 1) {
    const open = page.getByRole('button', { name: `Open Turned ${orientation}` });
    await scrollCollectionTo(page, open);
    await open.click();
    const picture = page.getByRole('dialog').getByRole('img', { name: `Turned ${orientation}` });
    await expect.poll(() => widthOf(picture), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await quartersOf(picture), `orientation ${orientation}`).toEqual(Object.keys(QUARTERS));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

const refused: [string, () => Photo | Promise<Photo>, RegExp][] = [
  ['a fake', fakePhoto, /This file is not a photo we can read/],
  ['a truncated photo', truncatedPhoto, /This photo is damaged and cannot be read/],
  ['a photo of 200 megapixels', hugePhoto, /more pixels than we can take/],
];
for (const [name, makePhoto, words] of refused) {
  test(
    `${name} is rejected with a message, and the form is restored`,
    { tag: '@once' },
    async ({ page, expectErrorResponse }) => {
      expectErrorResponse('/api/memories/complete-upload');
      await uploadMemory(page, await makePhoto(), 'What I wrote');
      await expect(toast(page)).toContainText('Error');
      await expect(toast(page)).toContainText('Failed to upload memory');
      await expect(page.getByRole('dialog', { name: 'Add New Mems' }).getByRole('alert')).toContainText(
        words,
      );
      await expect(page.getByLabel('Caption')).toHaveValue('What I wrote');
    },
  );
}

test('a file of 11 MB is rejected before sending', { tag: '@once' }, async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, largeFile());
  await expect(page.getByText(/larger than 10 MB/).first()).toBeVisible();
  await expect(page.getByText('Drop your files here').last()).toBeVisible();
});

/** Virtual list: scrolls down until the memory is in the page. */
async function scrollCollectionTo(page: Page, target: Locator): Promise<void> {
  const collection = page.getByRole('group', { name: 'Your Memory Collection' });
  await expect(async () => {
    if ((await target.count()) === 0) await collection.evaluate((element) => element.scrollBy(0, 400));
    await expect(target).toBeAttached({ timeout: 100 });
  }).toPass({ intervals: [50] });
}

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));
}

/** Which quarter's color is seen at each quarter of the picture, row by row. */
async function quartersOf(picture: Locator): Promise<(string | undefined)[]> {
  const seen = await picture.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const at = (x: number, y: number) =>
      [...(context?.getImageData(canvas.width * x, canvas.height * y, 1, 1).data ?? [])].slice(0, 3);
    return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
  });
  const isNear = (some: readonly number[], others: readonly number[]) =>
    some.every((value, index) => Math.abs(value - (others[index] ?? -1000)) < 40);
  return seen.map((color) => Object.entries(QUARTERS).find(([, each]) => isNear(each, color))?.[0]);
}
