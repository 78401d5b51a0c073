import { decodeHeicPreview, isHeic } from './heic-preview.ts';

const WIDTH_PX = 200;
const QUALITY = 0.8;
/** Beyond this a phone may run out of memory; the server takes up to 100 megapixels and says so itself. */
const MOST_PIXELS = 60_000_000;

/**
 * A small JPEG of a photo, as the browser shows it: upright. (Uppy's own generator turns a phone's portrait but keeps
 * the sides of the picture lying down.) @returns a data URL. @throws when it is no picture.
 */
export async function makeThumbnail(photo: Blob): Promise<string> {
  const source = URL.createObjectURL(photo);
  try {
    const picture = await load(source);
    const { naturalWidth: width, naturalHeight: height } = picture;
    if (width * height > MOST_PIXELS) throw new Error('Too large to be drawn here');
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
