import { shareLink, type ShareOutcome } from '../../lib/browser/system-share.ts';

interface ShareableImage {
  title: string;
  fileName: string;
  file: () => Promise<Blob>;
  link: () => Promise<string>;
}

/**
 * Shares the file, or a public link, created only then, where files cannot be shared.
 * @throws the error of `file` or `link`; DOMException if the browser rejects it
 */
export async function shareImage({ title, fileName, file, link }: ShareableImage): Promise<ShareOutcome> {
  const toFile = (blobs: Blob[]) => new File(blobs, fileName, { type: 'image/png' });
  const canShareFiles = 'canShare' in navigator && navigator.canShare({ files: [toFile([])] });
  if (!canShareFiles) return shareLink(link(), title);
  const files = [toFile([await file()])];
  try {
    await navigator.share({ title, files });
    return 'shared';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return 'cancelled';
    // The click was too long ago, or the sheet does not accept images.
    return shareLink(link(), title);
  }
}
