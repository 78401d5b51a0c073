import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { copyOfPhoto } from '../../../server/testing/photos/photos.ts';
import { toast } from '../accounts/users.ts';
import type { Photo } from '../photo-files.ts';

const TOP_COLOR = { r: 200, g: 60, b: 40 };
const BOTTOM_COLOR = { r: 40, g: 70, b: 190 };

/**
 * A phone's portrait photo: 12 megapixels stored in landscape with EXIF orientation 6.
 * Upright it is 3000 x 4000, red above and blue below.
 */
export async function portraitFromPhone(): Promise<Photo> {
  const ground = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: BOTTOM_COLOR } })
    .png()
    .toBuffer();
  const upright = await sharp({ create: { width: 3000, height: 4000, channels: 3, background: TOP_COLOR } })
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

/** Each has its own bytes. */
export async function smallPhoto(width = 640, height = 480): Promise<Photo> {
  const buffer = await sharp({ create: { width, height, channels: 3, background: TOP_COLOR } })
    .jpeg()
    .toBuffer();
  return { name: 'small.jpg', mimeType: 'image/jpeg', buffer: copyOfPhoto(buffer) };
}

/** Checks a screenshot: portrait, red above and blue below. */
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

const UPLOADER_TITLES = /^(Choose the photo|Your photo|Adjust your photo|Uploading your photo)$/;

/** With any of its titles. */
export function uploaderDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: UPLOADER_TITLES });
}

export async function choosePhoto(page: Page, photo: Photo): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a photo' }).click();
  await (await chooser).setFiles(photo);
}

/** Drags photos over an element, or drops or pastes them there. */
export async function transferPhotos(
  target: Locator,
  type: 'dragover' | 'drop' | 'paste',
  photos: Photo[],
): Promise<void> {
  const files = photos.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    bytes: buffer.toString('base64'),
  }));
  await target.evaluate(
    (element, { type, files }) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, bytes } of files) {
        const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([data], name, { type: mimeType }));
      }
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...options, clipboardData: transfer })
          : new DragEvent(type, { ...options, dataTransfer: transfer }),
      );
    },
    { type, files },
  );
}

/** Adds a memory with the form and starts its upload. */
export async function uploadMemory(page: Page, photo: Photo, caption = ''): Promise<void> {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByLabel('Caption').fill(caption);
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await choosePhoto(page, photo);
  await page.getByRole('button', { name: 'Upload photo' }).click();
}

const UPLOADED = /Success!|This photo is already in your album|Back in your album/;

/** Waits for the message that only a finished upload shows, after which the uploader closes itself. */
export async function finishUpload(page: Page): Promise<void> {
  await expect(toast(page)).toContainText(UPLOADED);
  await expect(uploaderDialog(page)).toBeHidden();
}

/** Opens the uploader with an empty form. */
export async function openUploader(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add Mems' }).click();
  await page.getByRole('button', { name: 'Upload Memory' }).click();
  await expect(uploaderDialog(page)).toBeVisible();
}

/** Creates a memory by API. Of a JPEG it sends a copy, so that one photo can be used for several memories. */
export async function createMemory(
  page: Page,
  photo: Photo,
  caption: string,
  details: { tags?: string; memoryDate?: string; petId?: string } = {},
): Promise<void> {
  const { request } = page;
  const type = photo.mimeType;
  const bytes = type === 'image/jpeg' ? copyOfPhoto(photo.buffer) : photo.buffer;
  const granted = await request.post('/api/objects/upload', {
    data: { contentType: type, size: bytes.length },
  });
  const { uploadURL } = (await granted.json()) as { uploadURL: string };
  await request.put(uploadURL, { data: bytes, headers: { 'Content-Type': type } });
  const completed = await request.post('/api/memories/complete-upload', {
    data: { uploadURL, caption, ...details },
  });
  expect(completed.status()).toBe(201);
}

export async function cropSquare(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Adjust photo/ }).click();
  const cropBox = page.locator('.cropper-view-box');
  // Decoding a HEIC takes long on a busy machine: only the test's own limit counts.
  await cropBox.waitFor();
  await page.getByRole('button', { name: 'Crop square' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await cropBox.waitFor({ state: 'hidden' });
}

/** Waits until local storage contains the text. */
export async function expectTextStored(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(text);
}

/** Waits until Golden Retriever has stored the photo. */
export async function expectPhotoStored(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(countStoredPhotos)).toBe(1);
}

/** Runs in the page. Golden Retriever stores the file and its metadata one after the other. */
async function countStoredPhotos(): Promise<number> {
  const name = 'uppy-blobs';
  // Opening a missing database would create it.
  if (!(await indexedDB.databases()).some((database) => database.name === name)) return 0;
  const promisify = <Result>(request: IDBRequest<Result>) =>
    new Promise<Result>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('No answer'));
    });
  const database = await promisify(indexedDB.open(name));
  try {
    const stores = ['files', 'metadata'].filter((store) => database.objectStoreNames.contains(store));
    if (stores.length < 2) return 0;
    const counts = stores.map((store) => promisify(database.transaction(store).objectStore(store).count()));
    return Math.min(...(await Promise.all(counts)));
  } finally {
    database.close();
  }
}

/** Whether the browser has stored metadata of the photo. */
export function isMetadataStored(page: Page, part: string): Promise<boolean> {
  return page.evaluate(
    (part) =>
      new Promise<boolean>((resolve, reject) => {
        const request = indexedDB.open('uppy-blobs');
        request.onerror = () => reject(new Error('No database'));
        request.onsuccess = () => {
          const reading = request.result.transaction('metadata').objectStore('metadata').getAll();
          reading.onsuccess = () => {
            request.result.close();
            const records = reading.result as { metadata: string }[];
            resolve(records.some(({ metadata }) => metadata.includes(part)));
          };
        };
      }),
    part,
  );
}
