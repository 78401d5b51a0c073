import { once } from 'node:events';
import { Readable, type PassThrough } from 'node:stream';
import { ZipFile, type ReadStreamOptions } from 'yazl';

/** Of an entry, without its name, at most: its local header, central header, data descriptor and timestamp. */
const ENTRY_OVERHEAD_BYTES = 30 + 46 + 24 + 9;
/** The end of the zip, also in Zip64. */
const END_BYTES = 98;
/** Above, a zip needs Zip64, which older programs cannot open. */
const MAX_ENTRIES = 60_000;
const FILE_MODE = 0o100644;

export type ZipPart = {
  /**
   * Whether these files still fit. Half of the part is for files in any case: texts that are larger would be repeated with each
   * photo, as each part has them.
   */
  hasRoomFor(files: NewFile[], maxBytes: number): boolean;
  /** Uncompressed, as photos are compressed already. */
  addFile(file: NewFile, modifiedAt: Date): Promise<void>;
  addText(
    path: string,
    texts: AsyncIterable<string>,
    modifiedAt: Date,
    options?: { compress: boolean },
  ): Promise<void>;
  /** Resolves once the zip is stored. */
  close(): Promise<void>;
  /** Nothing is stored. */
  abort(error: Error): Promise<void>;
};

export type NewFile = { path: string; bytes: Buffer };

/** A zip that is written into `store` while files are added, with one of them in memory. */
export function openZipPart(store: (zip: Readable) => Promise<void>): ZipPart {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  // Destroying the stream tells the other side of an error; `stored` reports it.
  output.on('error', () => undefined);
  zip.on('error', (error: Error) => output.destroy(error));
  const stored = store(output);
  stored.catch(() => undefined);
  let bytes = END_BYTES;
  let textBytes = 0;
  let entries = 0;

  const count = ({ path, byteSize }: { path: string; byteSize: number }) => {
    entries++;
    bytes += entryBytes(path, byteSize);
  };

  /** Resolves when more can be written. Not with `addBuffer`, which keeps each buffer until the end. */
  async function add(path: string, source: Readable, options: Partial<ReadStreamOptions>): Promise<void> {
    const read = once(source, 'end');
    read.catch(() => undefined);
    let next: Readable | null = source;
    zip.addReadStreamLazy(path, { mode: FILE_MODE, ...options }, (begin) => {
      // The zip keeps this function, and would keep the bytes.
      if (next) begin(null, next);
      next = null;
    });
    // `stored` rejects if the storage fails.
    await Promise.race([read, stored]);
    if (output.destroyed) return stored;
    if (output.writableNeedDrain) await Promise.race([once(output, 'drain'), stored]);
  }

  return {
    hasRoomFor(files, maxBytes) {
      const more = files.reduce((sum, file) => sum + entryBytes(file.path, file.bytes.length), 0);
      return bytes + more <= Math.max(maxBytes, 2 * textBytes) && entries + files.length <= MAX_ENTRIES;
    },
    async addFile({ path, bytes: content }, modifiedAt) {
      count({ path, byteSize: content.length });
      const source = Readable.from([content], { objectMode: false });
      await add(path, source, { mtime: modifiedAt, size: content.length, compress: false });
    },
    async addText(path, texts, modifiedAt, { compress } = { compress: true }) {
      let byteSize = 0;
      async function* counted() {
        for await (const text of texts) {
          byteSize += Buffer.byteLength(text);
          yield text;
        }
      }
      const source = Readable.from(counted(), { objectMode: false });
      await add(path, source, { mtime: modifiedAt, compress });
      // Before compression, which never adds more than a few bytes for each 16 KB.
      count({ path, byteSize: byteSize + Math.ceil(byteSize / 1000) });
      textBytes += byteSize;
    },
    async close() {
      zip.end();
      await stored;
    },
    async abort(error) {
      output.destroy(error);
      await stored.catch(() => undefined);
    },
  };
}

function entryBytes(path: string, byteSize: number): number {
  return ENTRY_OVERHEAD_BYTES + 2 * Buffer.byteLength(path) + byteSize;
}
