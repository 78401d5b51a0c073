import { shareLink, type ShareOutcome } from '../../lib/share-link.ts';

interface Picture {
  title: string;
  fileName: string;
  file: () => Promise<Blob>;
  link: () => Promise<string>;
}

/**
 * Hands a picture on by the system's own sheet, as a file where the device takes one; else its public link, which is
 * made only then.
 * @throws what the picture or the link failed with; DOMException when the browser refuses
 */
export async function shareImage({ title, fileName, file, link }: Picture): Promise<ShareOutcome> {
  const toFile = (blobs: Blob[]) => new File(blobs, fileName, { type: 'image/png' });
  if (!canShareFiles([toFile([])])) return shareLink(link(), title);
  const files = [toFile([await file()])];
  try {
    await navigator.share({ title, files });
    return 'shared';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return 'cancelled';
    // The click was too long ago, or the sheet takes no picture after all.
    return shareLink(link(), title);
  }
}

function canShareFiles(files: File[]): boolean {
  return 'canShare' in navigator && navigator.canShare({ files });
}
