import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { chunkKey } from '../../storage/object-keys.ts';
import { ImportError } from '../import-error.ts';

const MAX_ENTRIES = 1_000_000;
const MAX_COMPRESSION_RATIO = 200;
/** Two chunks: where a file is read, and where the next one begins. */
const CACHED_CHUNKS = 2;
/** An export has no longer ones. */
const MAX_NAME_LENGTH = 1000;
/** Of all names, which are in memory. */
const MAX_NAMES_LENGTH = 100_000_000;
const FILE_TYPES = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
/** Stored and deflated. */
const METHODS = [0, 8];

type ZipEntry = Pick<
  Entry,
  | 'compressedSize'
  | 'compressionMethod'
  | 'crc32'
  | 'generalPurposeBitFlag'
  | 'relativeOffsetOfLocalHeader'
  | 'uncompressedSize'
>;

export type ImportZip = {
  /** The size of an extracted file. Null if it is not in the zip. */
  sizeOf(path: string): number | null;
  /** @throws ImportError when the bytes read are not those that were zipped */
  readStream(path: string): AsyncIterable<Buffer>;
  /** The files that fit into memory. @throws ImportError unless they have this size and hash */
  read(path: string, expected: { byteSize: number; sha256: string }): Promise<Buffer>;
};

type StoredZip = { id: string; byteSize: number };

/** Checks all entries before any of them is read. @throws ImportError */
export async function openImportZip(
  storage: Pick<ObjectStorage, 'read'>,
  { id, byteSize }: StoredZip,
): Promise<ImportZip> {
  const reader = new ChunkReader(storage, id);
  const zip = await open(reader, byteSize);
  const entries = await listEntries(zip, reader, byteSize);

  async function* readStream(path: string): AsyncIterable<Buffer> {
    const entry = entries.get(path);
    if (!entry) throw new Error('This file is not in the zip');
    let stream: Readable;
    try {
      stream = await zip.openReadStreamPromise(Object.assign(new Entry(), entry));
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw reader.failure ?? new ImportError('damaged', path, { cause: error });
    }
  }

  return {
    sizeOf: (path) => entries.get(path)?.uncompressedSize ?? null,
    readStream,
    async read(path, expected) {
      const chunks: Buffer[] = [];
      for await (const chunk of readStream(path)) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      if (bytes.length !== expected.byteSize || sha256 !== expected.sha256)
        throw new ImportError('damaged', path);
      return bytes;
    },
  };
}

async function open(reader: ChunkReader, byteSize: number): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(reader, byteSize, { autoClose: false, strictFileNames: true });
  } catch (error) {
    throw reader.failure ?? new ImportError('not-a-zip', null, { cause: error });
  }
}

/** Keeps only the entries that an import reads in memory. */
async function listEntries(
  zip: ZipFile,
  reader: ChunkReader,
  byteSize: number,
): Promise<Map<string, ZipEntry>> {
  if (zip.entryCount > MAX_ENTRIES) throw new ImportError('too-many-entries');
  const entries = new Map<string, ZipEntry>();
  let compressedBytes = 0;
  let namesLength = 0;
  await eachEntry(zip, reader, (entry) => {
    const { fileName, compressedSize, uncompressedSize } = entry;
    checkEntry(entry);
    namesLength += fileName.length;
    if (namesLength > MAX_NAMES_LENGTH) throw new ImportError('too-many-entries');
    compressedBytes += compressedSize;
    if (compressedBytes > byteSize) throw new ImportError('overlapping');
    if (fileName.endsWith('/') || fileName.startsWith('previews/') || fileName.endsWith('.xmp')) return;
    if (entries.has(fileName)) throw new ImportError('invalid-data', fileName);
    const { compressionMethod, crc32, generalPurposeBitFlag, relativeOffsetOfLocalHeader } = entry;
    entries.set(fileName, {
      compressedSize,
      uncompressedSize,
      compressionMethod,
      crc32,
      generalPurposeBitFlag,
      relativeOffsetOfLocalHeader,
    });
  });
  return entries;
}

/** @throws ImportError */
function checkEntry(entry: Entry): void {
  const { fileName, compressedSize, uncompressedSize, compressionMethod } = entry;
  // The upper half is the Unix mode; zero if the zip was made elsewhere.
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPES;
  // Postgres cannot store NUL.
  if (/[\0-\x1f]/.test(fileName)) throw new ImportError('unsafe-path', fileName);
  if (fileName.length > MAX_NAME_LENGTH) throw new ImportError('invalid-data', fileName);
  if (type !== 0 && type !== REGULAR_FILE && type !== FOLDER) throw new ImportError('not-a-file', fileName);
  if (entry.isEncrypted()) throw new ImportError('encrypted', fileName);
  if (!METHODS.includes(compressionMethod)) throw new ImportError('invalid-data', fileName);
  if (uncompressedSize > compressedSize * MAX_COMPRESSION_RATIO)
    throw new ImportError('compression-ratio', fileName);
}

function eachEntry(zip: ZipFile, reader: ChunkReader, visit: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => reject(reader.failure ?? toEntryError(error)));
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      try {
        visit(entry);
        zip.readEntry();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    zip.readEntry();
  });
}

/** yauzl checks the names, and tells only by its message. */
function toEntryError(error: Error): Error {
  const [, path] =
    /^(?:absolute path|invalid relative path|invalid characters in fileName): (.*)$/s.exec(error.message) ??
    [];
  if (path !== undefined) return new ImportError('unsafe-path', path, { cause: error });
  return new ImportError('not-a-zip', null, { cause: error });
}

/** Reads the zip from its chunks in the object storage. */
class ChunkReader extends RandomAccessReader {
  /** yauzl reports an error of the storage as if the zip was damaged. */
  failure: Error | null = null;
  readonly #storage: Pick<ObjectStorage, 'read'>;
  readonly #importId: string;
  readonly #cache = new Map<number, Buffer>();

  constructor(storage: Pick<ObjectStorage, 'read'>, importId: string) {
    super();
    this.#storage = storage;
    this.#importId = importId;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const copy = async () => {
      let at = offset;
      for await (const piece of this.#pieces(position, position + length)) at += piece.copy(buffer, at);
      if (at < offset + length) throw new Error('unexpected EOF');
    };
    copy().then(
      // Outside of the promise, which would catch what the callback throws.
      () => setImmediate(callback, null),
      (error: Error) => setImmediate(callback, error),
    );
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const number = Math.floor(at / IMPORT_CHUNK_BYTES);
      const first = number * IMPORT_CHUNK_BYTES;
      const piece = (await this.#chunk(number)).subarray(at - first, end - first);
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  async #chunk(number: number): Promise<Buffer> {
    const cached = this.#cache.get(number);
    if (cached) return cached;
    try {
      const chunk = await this.#storage.read(chunkKey(this.#importId, number));
      if (!chunk) throw new ImportError('not-a-zip');
      const [oldest] = this.#cache.keys();
      if (oldest !== undefined && this.#cache.size >= CACHED_CHUNKS) this.#cache.delete(oldest);
      this.#cache.set(number, chunk);
      return chunk;
    } catch (error) {
      this.failure = error as Error;
      throw error;
    }
  }
}
