import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { Photo } from './photo-files.ts';

const SKY = { r: 200, g: 60, b: 40 };
const GROUND = { r: 40, g: 70, b: 190 };

/**
 * What a phone held upright writes: 12 megapixels lying on their side, and EXIF orientation 6 to say so.
 * Seen upright it is 3000 x 4000, red above and blue below.
 */
export async function portraitFromPhone(): Promise<Photo> {
  const ground = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: GROUND } })
    .png()
    .toBuffer();
  const upright = await sharp({ create: { width: 3000, height: 4000, channels: 3, background: SKY } })
    .composite([{ input: ground, left: 0, top: 2000 }])
    .png()
    .toBuffer();
  const buffer = await sharp(upright)
    .rotate(270)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 85 })
    .toBuffer();
  return { name: 'portrait.jpg', mimeType: 'image/jpeg', buffer };
}

export async function smallPhoto(width = 640, height = 480): Promise<Photo> {
  const buffer = await sharp({ create: { width, height, channels: 3, background: SKY } })
    .jpeg()
    .toBuffer();
  return { name: 'small.jpg', mimeType: 'image/jpeg', buffer };
}

/** Looks at the picture as it is on the screen: whether it stands upright, red above and blue below. */
export async function looksUpright(picture: Locator): Promise<boolean> {
  const shot = await picture.screenshot();
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const isRedAt = (share: number) => {
    const offset =
      (Math.floor(info.height * share) * info.width + Math.floor(info.width / 2)) * info.channels;
    return (data[offset] ?? 0) > (data[offset + 2] ?? 0) + 60;
  };
  const isBlueAt = (share: number) => {
    const offset =
      (Math.floor(info.height * share) * info.width + Math.floor(info.width / 2)) * info.channels;
    return (data[offset + 2] ?? 0) > (data[offset] ?? 0) + 60;
  };
  return info.height > info.width && isRedAt(0.1) && isRedAt(0.4) && isBlueAt(0.6) && isBlueAt(0.9);
}

const UPLOADER_TITLES =
  /^(Choose the photo|Your photo|Edit your photo|Uploading your photo|Not saved yet|Your memory is saved)$/;

/** The uploader, whatever its title says of its state. */
export function uploaderDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: UPLOADER_TITLES });
}

/** Chooses a photo in the open uploader. */
export async function choosePhoto(page: Page, photo: Photo): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a photo' }).click();
  await (await chooser).setFiles(photo);
}

/** From 'Add Mems' to the photo being on its way. */
export async function uploadMemory(page: Page, photo: Photo, caption = ''): Promise<void> {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill(caption);
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, photo);
  await page.getByRole('button', { name: 'Upload photo' }).click();
}

/** The uploader says that it is complete, and goes. */
export async function finishUpload(page: Page): Promise<void> {
  const uploader = uploaderDialog(page);
  await expect(uploader.getByText('Complete', { exact: true })).toBeVisible();
  await uploader.getByRole('button', { name: 'Done' }).click();
  await expect(uploader).toBeHidden();
}

/** Into the uploader, with nothing written about the photo. */
export async function openUploader(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await expect(uploaderDialog(page)).toBeVisible();
}

/** A memory made without the screens, for tests of something else. */
export async function addMemoryQuickly(
  page: Page,
  photo: Photo,
  caption: string,
  details: { tags?: string; memoryDate?: string; petId?: string } = {},
): Promise<void> {
  const { request } = page;
  const type = photo.mimeType;
  const granted = await request.post('/api/objects/upload', {
    data: { contentType: type, size: photo.buffer.length },
  });
  const { uploadURL } = (await granted.json()) as { uploadURL: string };
  await request.put(uploadURL, { data: photo.buffer, headers: { 'Content-Type': type } });
  const completed = await request.post('/api/memories/complete-upload', {
    data: { uploadURL, caption, ...details },
  });
  expect(completed.status()).toBe(201);
}

/** The browser keeps what was written, beyond a reload. */
export async function expectKept(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(text);
}

/** The browser keeps the chosen photo, beyond a reload: a moment after it is seen. */
export async function expectPhotoKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(countKeptPhotos)).toBe(1);
}

/** Runs in the page. The photo and what is known of it are kept one after the other. */
async function countKeptPhotos(): Promise<number> {
  const name = 'uppy-blobs';
  // Opening it would make it.
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return 0;
  const answer = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('No answer'));
    });
  const database = await answer(indexedDB.open(name));
  try {
    const stores = ['files', 'metadata'].filter((store) => database.objectStoreNames.contains(store));
    if (stores.length < 2) return 0;
    const counts = stores.map((store) => answer(database.transaction(store).objectStore(store).count()));
    return Math.min(...(await Promise.all(counts)));
  } finally {
    database.close();
  }
}
