const WIDTH_PX = 200;
const QUALITY = 0.8;

/**
 * A small JPEG of a photo, as the browser shows it: upright. (Uppy's own generator turns a phone's portrait but keeps
 * the sides of the picture lying down.) @returns an object URL, to be revoked. @throws when it is no picture.
 */
export async function makeThumbnail(photo: Blob): Promise<string> {
  const source = URL.createObjectURL(photo);
  try {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    return URL.createObjectURL(await shrink(picture));
  } finally {
    URL.revokeObjectURL(source);
  }
}

async function shrink(picture: HTMLImageElement): Promise<Blob> {
  const scale = Math.min(1, WIDTH_PX / picture.naturalWidth);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(picture.naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no thumbnails');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('No thumbnail came'))),
      'image/jpeg',
      QUALITY,
    ),
  );
}
