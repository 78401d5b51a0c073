import type { HeicPreviewRequest } from './heic-preview-worker.ts';

const WIDTH_PX = 200;
/** Of the print in the uploader, on screens with two pixels to one. */
const PREVIEW_SIDE_PX = 1200;
const QUALITY = 0.8;
/** Larger photos could exhaust a phone's memory. The server accepts up to 100 megapixels. */
const MAX_PIXELS = 60_000_000;

interface PhotoPreviews {
  /** A small one, which is stored. */
  thumbnail: string;
  preview: string;
}

/**
 * Upright JPEGs as data URLs. Uppy's generator rotates a phone's portrait photo, but keeps its landscape size.
 * @throws if the browser cannot decode the photo
 */
export async function makePreviews(photo: Blob): Promise<PhotoPreviews> {
  const source = URL.createObjectURL(photo);
  try {
    const image = await loadImage(source);
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width * height > MAX_PIXELS) throw new Error('Too large for a thumbnail');
    return shrinkTwice(image, width, height);
  } catch (error) {
    // Some browsers leave the type of a HEIC empty.
    if (photo.type !== '' && !/^image\/hei[cf]/.test(photo.type)) throw error;
    const bitmap = await decodeHeicPreview(photo, PREVIEW_SIDE_PX);
    return shrinkTwice(bitmap, bitmap.width, bitmap.height);
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** The whole photo. @throws if it cannot be decoded */
export async function toJpeg(photo: Blob, maxWidthPx: number): Promise<Blob> {
  const source = URL.createObjectURL(photo);
  try {
    await loadImage(source);
    // The browser can show it. Only its type has to be one that a canvas can save.
    return photo;
  } catch {
    const bitmap = await decodeHeicPreview(photo, maxWidthPx);
    const canvas = draw(bitmap, bitmap.width, bitmap.height);
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.95));
    if (!jpeg) throw new Error('The photo could not be drawn');
    return jpeg;
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** @throws if it is not an image */
export function loadImage(source: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error('Not an image'));
    image.src = source;
  });
}

function shrinkTwice(image: CanvasImageSource, width: number, height: number): PhotoPreviews {
  return {
    thumbnail: shrink(image, width, height, WIDTH_PX / width),
    preview: shrink(image, width, height, PREVIEW_SIDE_PX / Math.max(width, height)),
  };
}

function shrink(image: CanvasImageSource, width: number, height: number, ratio: number): string {
  const scale = Math.min(1, ratio);
  return draw(image, width * scale, height * scale).toDataURL('image/jpeg', QUALITY);
}

function draw(image: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** For browsers that cannot decode HEIC. Loads the decoder (2 MB) on first use. */
async function decodeHeicPreview(photo: Blob, widthPx: number): Promise<ImageBitmap> {
  const worker = new Worker(new URL('./heic-preview-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ImageBitmap | null>) =>
        data ? resolve(data) : reject(new Error('Not an image'));
      worker.onerror = () => reject(new Error('The decoder could not be started'));
      worker.postMessage({ photo, widthPx } satisfies HeicPreviewRequest);
    });
  } finally {
    worker.terminate();
  }
}
