import { BlobReader, configure, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { MAX_BATCH_PHOTO_BYTES } from '#shared/upload';

// A worker would need a source that the Content-Security-Policy rejects.
configure({ useWebWorkers: false });

/** Of one zip. Google makes parts of up to 50 GB, with some 20,000 files. */
const MAX_ENTRIES = 200_000;
/** Entries after which other work of the page comes first. */
const PAUSE_AFTER = 5_000;

export interface ZipEntry {
  /** With `/`, without the zip's name. */
  path: string;
  size: number;
  /** Milliseconds. */
  lastModified: number;
  /** The same for equal bytes, almost always. */
  checksum: string;
  /** @throws if it is damaged, or larger than it says */
  read: (type?: string) => Promise<Blob>;
}

export class ZipError extends Error {}

/** Reads the list of files at the end of the zip, and each file only when it is asked for. @throws ZipError */
export async function listZip(
  zip: File,
  onFault: (path: string, reason: string) => void,
): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  try {
    const reader = new ZipReader(new BlobReader(zip), { filenameValidation: 'tolerant' });
    let count = 0;
    let encrypted = 0;
    for await (const entry of reader.getEntriesGenerator()) {
      if (++count > MAX_ENTRIES) throw new ZipError(`It has more than ${MAX_ENTRIES} files.`);
      if (count % PAUSE_AFTER === 0) await new Promise((resolve) => setTimeout(resolve));
      if (entry.directory) continue;
      if (entry.encrypted) {
        encrypted++;
        continue;
      }
      if (!isPlainPath(entry.filename)) {
        onFault(entry.filename, 'Its path leads out of the zip.');
        continue;
      }
      entries.push({
        path: entry.filename,
        size: entry.uncompressedSize,
        lastModified: entry.lastModDate.getTime(),
        checksum: `${entry.signature} ${entry.uncompressedSize}`,
        read: (type) => readEntry(entry, type),
      });
    }
    if (encrypted > 0 && entries.length === 0)
      throw new ZipError('It needs a password. Please unpack it, and choose its folder.');
    if (encrypted > 0) onFault(zip.name, `${encrypted} of its files need a password, and were left out.`);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError('It is not a zip, or it is damaged. Please download it again.');
  }
  return entries;
}

/** Without `..`, and not absolute: nothing is unpacked to the disk, but such a zip was made to trick somebody. */
function isPlainPath(path: string): boolean {
  return !/^[/\\]|^[a-z]:|\\/i.test(path) && !path.split('/').includes('..');
}

async function readEntry(entry: FileEntry, type = ''): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const collector = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      size += chunk.length;
      if (size > Math.max(entry.uncompressedSize, 1) || size > MAX_BATCH_PHOTO_BYTES)
        throw new ZipError('It is larger than the zip says.');
      chunks.push(chunk);
    },
  });
  await entry.getData(collector, { checkSignature: true });
  return new Blob(chunks, { type });
}
