import libheif from 'libheif-js/libheif-wasm/libheif-bundle.mjs';

const MAX_PIXELS = 50_000_000;

export interface HeicPreviewRequest {
  photo: Blob;
  widthPx: number;
}

/** Reads a HEIC beside the page: it takes seconds. Answers a small bitmap, or null. */
self.onmessage = async ({ data }: MessageEvent<HeicPreviewRequest>) => {
  const bitmap = await decode(data).catch(() => null);
  self.postMessage(bitmap, { transfer: bitmap ? [bitmap] : [] });
};

async function decode({ photo, widthPx }: HeicPreviewRequest): Promise<ImageBitmap | null> {
  const { HeifDecoder } = libheif();
  const images = new HeifDecoder().decode(new Uint8Array(await photo.arrayBuffer()));
  const image = images.find((each) => each.is_primary()) ?? images[0];
  if (!image) return null;
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > MAX_PIXELS) return null;
  const picture = new ImageData(width, height);
  const isShown = await new Promise((resolve) => image.display(picture, (shown) => resolve(shown !== null)));
  if (!isShown) return null;
  return createImageBitmap(picture, { resizeWidth: Math.min(width, widthPx), resizeQuality: 'high' });
}
