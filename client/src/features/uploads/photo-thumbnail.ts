import type { HeicPreviewRequest } from './heic-preview-worker.ts';

const WIDTH_PX = 200;
const QUALITY = 0.8;
/** Beyond this a phone may run out of memory; the server takes up to 100 megapixels and says so itself. */
const MAX_PIXELS = 60_000_000;

/**
 * A small JPEG of a photo, as the browser shows it: upright. (Uppy's own generator turns a phone's portrait but keeps
 * the sides of the picture lying down.) @returns a data URL. @throws when it is no picture.
 */
export async function makeThumbnail(photo: Blob): Promise<string> {
  const source = URL.createObjectURL(photo);
  try {
    const picture = await load(source);
    const { naturalWidth: width, naturalHeight: height } = picture;
    if (width * height > MAX_PIXELS) throw new Error('Too large to be drawn here');
    return shrink(picture, width, height);
  } catch (error) {
    if (!isHeic(photo)) throw error;
    const bitmap = await decodeHeicPreview(photo, WIDTH_PX);
    return shrink(bitmap, bitmap.width, bitmap.height);
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** Knows its size then, without being decoded yet. */
function load(source: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error('No picture'));
    picture.src = source;
  });
}

function shrink(picture: CanvasImageSource, width: number, height: number): string {
  const scale = Math.min(1, WIDTH_PX / width);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no thumbnails');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', QUALITY);
}

function isHeic({ type }: Blob): boolean {
  return /^image\/hei[cf]/.test(type);
}

/** A small bitmap of a HEIC, for browsers that show none. The decoder (2 MB) is fetched only then. @throws */
async function decodeHeicPreview(photo: Blob, widthPx: number): Promise<ImageBitmap> {
  const worker = new Worker(new URL('./heic-preview-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<ImageBitmap | null>) =>
        data ? resolve(data) : reject(new Error('No picture'));
      worker.onerror = () => reject(new Error('The decoder could not be started'));
      worker.postMessage({ photo, widthPx } satisfies HeicPreviewRequest);
    });
  } finally {
    worker.terminate();
  }
}
