import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { registerUser } from './users.ts';
import { animatedGif, heicPhoto, largeFile } from './photo-files.ts';
import { choosePhoto, finishUpload, openUploader, uploaderDialog, uploadMemory } from './photos.ts';

test.beforeEach(async ({ page }) => {
  await registerUser(page);
  await page.goto('/');
});

test('a HEIC without a type becomes a memory that every browser can show', async ({ page }) => {
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
});

test('the uploader previews a HEIC', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await heicPhoto());
  const preview = uploaderDialog(page).getByRole('img', { name: 'IMG_0001.HEIC' });
  await expect(preview).toBeVisible({ timeout: 30_000 });
  expect(await widthOf(preview)).toBe(200);
});

test('an animated GIF plays in the dialog, and cannot be edited into a still', async ({ page }) => {
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
});

test('a file of 11 MB is rejected before sending', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, largeFile());
  await expect(page.getByText(/larger than 10 MB/).first()).toBeVisible();
  await expect(page.getByText('Drop your files here').last()).toBeVisible();
});

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));
}
