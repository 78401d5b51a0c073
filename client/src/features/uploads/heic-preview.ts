import type { HeicPreviewRequest } from './heic-preview-worker.ts';

export function isHeic({ type }: Blob): boolean {
  return /^image\/hei[cf]/.test(type);
}

/** A small bitmap of a HEIC, for browsers that show none. The decoder (2 MB) is fetched only then. @throws */
export async function decodeHeicPreview(photo: Blob, widthPx: number): Promise<ImageBitmap> {
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
