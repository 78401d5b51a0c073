import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { signInAsNewUser } from './users.ts';
import { animatedGif, datedPhoto, displayP3Photo, heicPhoto } from './photo-files.ts';
import { choosePhoto, finishUpload, openUploader, uploaderDialog } from './photos.ts';

test.beforeEach(async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/');
});

test('a HEIC without a type is previewed, and becomes a memory that every browser can show', async ({
  page,
}) => {
  const headers: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') headers.push(request.headers()['content-type']);
  });
  const signing = page.waitForRequest('**/api/objects/upload');
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill('From the iPhone');
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, await heicPhoto());
  const preview = uploaderDialog(page).getByRole('img', { name: 'IMG_0001.HEIC' });
  await expect(preview).toBeVisible({ timeout: 30_000 });
  expect(await widthOf(preview)).toBe(200);
  await page.getByRole('button', { name: 'Upload photo' }).click();
  const { contentType } = (await signing).postDataJSON() as { contentType: string };
  await finishUpload(page);
  expect(headers).toEqual([contentType]);
  await page.getByRole('button', { name: 'Open From the iPhone' }).click();
  const picture = page.getByRole('dialog').getByRole('img', { name: 'From the iPhone' });
  await expect.poll(() => widthOf(picture), { timeout: 20_000 }).toBeGreaterThan(300);
});

test('an animated GIF plays in the dialog', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await animatedGif());
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
});

for (const format of ['jpeg', 'png', 'webp'] as const)
  test(`an edited ${format} keeps its capture date`, async ({ page }) => {
    await openUploader(page);
    await choosePhoto(page, await datedPhoto('2019:07:04 09:05:00', format));
    await cropSquare(page);
    await page.getByRole('button', { name: 'Upload photo' }).click();
    await finishUpload(page);
    await page.getByRole('button', { name: /^Open / }).click();
    const memory = page.getByRole('dialog', { name: 'Untitled Mem' });
    await expect(memory.getByText('July 4, 2019 at 9:05 AM')).toBeVisible();
    const box = await memory.getByRole('img').boundingBox();
    expect(Math.abs((box?.width ?? 0) - (box?.height ?? 1))).toBeLessThan(4);
  });

test('an edited photo keeps the colors of Display P3', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await displayP3Photo());
  await cropSquare(page);
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await finishUpload(page);
  const src = await page
    .getByRole('button', { name: /^Open / })
    .getByRole('img')
    .getAttribute('src');
  const color = await page.evaluate(displayP3ColorOf, String(src).replace(/\?.*/, ''));
  // The nearest that sRGB has is (234, 51, 35).
  for (const [index, value] of [255, 0, 0].entries())
    expect(Math.abs((color[index] ?? -100) - value)).toBeLessThan(6);
});

async function cropSquare(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Adjust photo/ }).click();
  const cropBox = page.locator('.cropper-view-box');
  await expect(cropBox).toBeVisible();
  await page.getByRole('button', { name: 'Crop square' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(cropBox).toBeHidden();
}

/** Runs in the page. */
async function displayP3ColorOf(url: string): Promise<number[]> {
  const bitmap = await createImageBitmap(await (await fetch(url)).blob());
  const options = { colorSpace: 'display-p3' } as const;
  const context = new OffscreenCanvas(1, 1).getContext('2d', options);
  context?.drawImage(bitmap, 0, 0);
  return [...(context?.getImageData(0, 0, 1, 1, options).data ?? [])];
}

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));
}
