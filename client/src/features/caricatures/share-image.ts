import { handOn, type HandedOn } from '../../lib/hand-on.ts';

interface ShareableImage {
  title: string;
  fileName: string;
  file: () => Promise<Blob>;
  link: () => Promise<string>;
}

/**
 * Shares the file with the system's share sheet, or a public link where files cannot be shared. The link is created
 * only when needed.
 * @throws the error of `file` or `link`; DOMException if the browser refuses
 */
export async function shareImage({ title, fileName, file, link }: ShareableImage): Promise<HandedOn> {
  const toFile = (blobs: Blob[]) => new File(blobs, fileName, { type: 'image/png' });
  if (!canShareFiles([toFile([])])) return handOn(link(), title);
  const files = [toFile([await file()])];
  try {
    await navigator.share({ title, files });
    return 'shared';
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return 'cancelled';
    // The click was too long ago, or the sheet does not accept images.
    return handOn(link(), title);
  }
}

function canShareFiles(files: File[]): boolean {
  return 'canShare' in navigator && navigator.canShare({ files });
}
