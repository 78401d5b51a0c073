import { BlobReader, configure, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { MAX_BATCH_PHOTO_BYTES } from '#shared/transfers/upload';
import { crc32 } from './crc32.ts';
import { readDirectorySize } from './zip-directory.ts';

// A worker would need a source that the Content-Security-Policy rejects.
configure({ useWebWorkers: false });

/** Of one zip. Google makes parts of up to 50 GB, with some 20,000 files. */
const MAX_ENTRIES = 200_000;
const MAX_DIRECTORY_BYTES = 64 * 1024 ** 2;
/** Entries after which other work of the page comes first. */
const PAUSE_AFTER = 5_000;
const TOO_MANY = 'It lists too many files. Please unpack it, and choose its folder.';
const DAMAGED = 'It is not a zip, or it is damaged. Please download it again.';

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

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
    const listed = await readDirectorySize(zip);
    if (listed.entries > MAX_ENTRIES || listed.bytes > MAX_DIRECTORY_BYTES) throw new ZipError(TOO_MANY);
    const reader = new ZipReader(new BlobReader(zip), { filenameValidation: 'tolerant' });
    let count = 0;
    let encrypted = 0;
    for await (const entry of reader.getEntriesGenerator()) {
      if (++count > MAX_ENTRIES) throw new ZipError(TOO_MANY);
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
        read: toReader(zip, entry),
      });
    }
    if (encrypted > 0 && entries.length === 0)
      throw new ZipError('It needs a password. Please unpack it, and choose its folder.');
    if (encrypted > 0) onFault(zip.name, `${encrypted} of its files need a password, and were left out.`);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError(DAMAGED);
  }
  return entries;
}

/** Without `..`, and not absolute: nothing is unpacked to the disk, but such a zip was made to trick somebody. */
function isPlainPath(path: string): boolean {
  return !/^[/\\]|^[a-z]:|\\/i.test(path) && !path.split('/').includes('..');
}

/** Keeps five numbers of the entry. The library's own takes 5 KB, a gigabyte for a whole Takeout. */
function toReader(zip: File, entry: FileEntry): ZipEntry['read'] {
  const { offset, compressedSize, uncompressedSize, compressionMethod, signature } = entry;
  return async (type = '') => {
    const header = new DataView(await zip.slice(offset, offset + LOCAL_HEADER_BYTES).arrayBuffer());
    const isEntry = header.byteLength === LOCAL_HEADER_BYTES && header.getUint32(0, true) === LOCAL_HEADER;
    if (!isEntry || ![STORED, DEFLATED].includes(compressionMethod)) throw new ZipError(DAMAGED);
    const start = offset + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
    const packed = zip.slice(start, start + compressedSize).stream();
    const stream =
      compressionMethod === STORED ? packed : packed.pipeThrough(new DecompressionStream('deflate-raw'));
    const chunks = await collect(stream, Math.min(uncompressedSize, MAX_BATCH_PHOTO_BYTES));
    if (signature !== undefined && crc32(chunks) !== signature >>> 0) throw new ZipError(DAMAGED);
    return new Blob(chunks, { type });
  };
}

/** @throws if it is larger than it says */
async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw new ZipError('It is larger than the zip says.');
    }
    chunks.push(value);
  }
}
