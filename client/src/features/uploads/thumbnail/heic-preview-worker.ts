import { conversionToSrgb, convertToSrgb } from '#shared/photos/convert-to-srgb';
import { readHeifColor } from '#shared/photos/heif-color';
import libheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';

const MAX_PIXELS = 50_000_000;

export interface HeicPreviewRequest {
  photo: Blob;
  widthPx: number;
}

/** Decodes a HEIC, which takes seconds. Posts a small bitmap, or null on error. */
self.onmessage = async ({ data }: MessageEvent<HeicPreviewRequest>) => {
  const bitmap = await decode(data).catch(() => null);
  self.postMessage(bitmap, { transfer: bitmap ? [bitmap] : [] });
};

async function decode({ photo, widthPx }: HeicPreviewRequest): Promise<ImageBitmap | null> {
  const { HeifDecoder } = libheif();
  const bytes = new Uint8Array(await photo.arrayBuffer());
  const images = new HeifDecoder().decode(bytes);
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_PIXELS) return null;
  const pixels = new ImageData(width, height);
  const isDecoded = await new Promise((resolve) =>
    image.display(pixels, (target) => resolve(target !== null)),
  );
  if (!isDecoded) return null;
  const conversion = conversionToSrgb(readHeifColor(bytes));
  if (conversion) convertToSrgb(pixels.data, 4, conversion);
  return createImageBitmap(pixels, { resizeWidth: Math.min(width, widthPx), resizeQuality: 'high' });
}
