import type { Locator } from '@playwright/test';
import { expect, test } from '../../support/fixtures.ts';
import { signInAsNewUser } from '../../support/accounts/users.ts';
import { animatedAvif, animatedGif, datedPhoto, heicPhoto } from '../../support/photo-files.ts';
import {
  choosePhoto,
  cropSquare,
  finishUpload,
  openUploader,
  uploadMemory,
  uploaderDialog,
} from '../../support/screens/photos.ts';

test.beforeEach(async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/');
});

/** A busy machine decodes for long, in the page and on the server: only the test's own limit counts. */
const untilDecoded = { timeout: 0 };

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
  await preview.waitFor();
  await expect.poll(() => widthOf(preview), untilDecoded).toBe(1200);
  const completed = page.waitForResponse('**/api/memories/complete-upload');
  await page.getByRole('button', { name: 'Upload photo' }).click();
  const { contentType } = (await signing).postDataJSON() as { contentType: string };
  await completed;
  await finishUpload(page);
  expect(headers).toEqual([contentType]);
  await page.getByRole('button', { name: 'Open From the iPhone' }).click();
  const picture = page.getByRole('dialog').getByRole('img', { name: 'From the iPhone' });
  await expect.poll(() => widthOf(picture), untilDecoded).toBeGreaterThan(300);
});

test('a HEIC is adjusted where the browser cannot decode it, and sent as a JPEG', async ({ page }) => {
  const signing = page.waitForRequest('**/api/objects/upload');
  await openUploader(page);
  await choosePhoto(page, await heicPhoto());
  await cropSquare(page);
  const completed = page.waitForResponse('**/api/memories/complete-upload');
  await page.getByRole('button', { name: 'Upload photo' }).click();
  expect((await signing).postDataJSON()).toMatchObject({ contentType: 'image/jpeg' });
  await completed;
  await finishUpload(page);
  await page.getByRole('button', { name: /^Open / }).click();
  const box = await page.getByRole('dialog').getByRole('img').boundingBox();
  expect(Math.abs((box?.width ?? 0) - (box?.height ?? 1))).toBeLessThan(4);
});

test('an animation plays in the dialog', async ({ page }) => {
  for (const animation of [animatedGif, animatedAvif]) {
    const photo = await animation();
    await test.step(photo.name, async () => {
      await uploadMemory(page, photo, photo.name);
      await finishUpload(page);
      await page.getByRole('button', { name: `Open ${photo.name}`, exact: true }).click();
      const picture = page.getByRole('dialog').getByRole('img');
      await expect(picture).toHaveAttribute('src', /^\/objects\/[0-9a-f-]+$/);
      await expect(picture).not.toHaveAttribute('srcset');
      const frames = await picture.evaluate(async (image: HTMLImageElement, type) => {
        const bytes = await (await fetch(image.src)).arrayBuffer();
        const decoder = new ImageDecoder({ data: bytes, type });
        await decoder.tracks.ready;
        return decoder.tracks.selectedTrack?.frameCount;
      }, photo.mimeType);
      expect(frames).toBe(2);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
  }
});

test('an edited photo keeps its capture date', async ({ page }) => {
  await openUploader(page);
  await choosePhoto(page, await datedPhoto('2019:07:04 09:05:00'));
  await cropSquare(page);
  await page.getByRole('button', { name: 'Upload photo' }).click();
  await finishUpload(page);
  await page.getByRole('button', { name: /^Open / }).click();
  const memory = page.getByRole('dialog', { name: 'Untitled Mem' });
  await expect(memory.getByText('July 4, 2019 at 9:05 AM')).toBeVisible();
  const box = await memory.getByRole('img').boundingBox();
  expect(Math.abs((box?.width ?? 0) - (box?.height ?? 1))).toBeLessThan(4);
});

function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: HTMLImageElement) => (image.complete ? image.naturalWidth : 0));
}
