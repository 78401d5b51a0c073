import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import { startTestServer } from '../../testing/test-server.ts';
import { openAlbumSpool } from '../exports/album-spool.ts';
import { checkImport } from './check-import.ts';
import { readImportData } from './read-archive/read-import-data.ts';
import { openImportZip } from './read-archive/zip-reader.ts';

/** Together more than the import may take. */
const PHOTOS = 40;
const PHOTO_BYTES = 8_000_000;
const MAX_GROWTH_BYTES = 250_000_000;

it(
  `an import of ${PHOTOS} photos of 8 MB takes less than 250 MB of memory`,
  { timeout: 240_000 },
  async () => {
    const server = await startTestServer();
    const { userId: ownerId } = await server.signUp();
    const photo = randomBytes(PHOTO_BYTES);
    const { storage } = server.context;
    const byteSize = await store(photo);
    let peak = 0;
    const measure = () => (peak = Math.max(peak, process.memoryUsage().rss));
    const before = process.memoryUsage().rss;
    const measured = {
      ...storage,
      read: (key: string) => {
        measure();
        return storage.read(key);
      },
    };
    const zip = await openImportZip(measured, { id: 'large', byteSize });
    const spool = await openAlbumSpool({ requireRoomIn: () => Promise.resolve() });
    const user = await readImportData(() => zip.readStream('data.json'), spool);
    const source = { ownerId, zip, spool, user, isLastDecodeAttempt: false };
    const counts = await checkImport(server.context, source, () => Promise.resolve(void measure()));
    await spool.close();
    expect(counts).toMatchObject({ total: PHOTOS, missing: 0 });
    const growth = peak - before;
    console.info(`Grew by ${Math.round(growth / 1e6)} MB, to ${Math.round(peak / 1e6)} MB`);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);

    /** The zip, in chunks. @returns its size */
    async function store(bytes: Buffer): Promise<number> {
      const output = new ZipFile();
      output.addBuffer(Buffer.from(JSON.stringify(toData(bytes))), 'data.json', { compress: false });
      for (let index = 0; index < PHOTOS; index++)
        output.addReadStreamLazy(pathOf(index), { compress: false, size: bytes.length }, (begin) =>
          begin(null, Readable.from([bytes], { objectMode: false })),
        );
      output.end();
      let size = 0;
      let number = 0;
      let waiting: Buffer[] = [];
      let waitingBytes = 0;
      const write = async (chunk: Buffer) =>
        storage.write(`imports/large/${number++}`, chunk, 'application/octet-stream');
      for await (const piece of output.outputStream) {
        waiting.push(piece as Buffer);
        waitingBytes += (piece as Buffer).length;
        size += (piece as Buffer).length;
        if (waitingBytes < IMPORT_CHUNK_BYTES) continue;
        const all = Buffer.concat(waiting);
        let at = 0;
        for (; all.length - at >= IMPORT_CHUNK_BYTES; at += IMPORT_CHUNK_BYTES)
          await write(all.subarray(at, at + IMPORT_CHUNK_BYTES));
        waiting = [all.subarray(at)];
        waitingBytes = all.length - at;
      }
      await write(Buffer.concat(waiting));
      return size;
    }
  },
);

function pathOf(index: number): string {
  return `photos/Rex/2024/photo ${index}.jpg`;
}

function toData(bytes: Buffer): object {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const createdAt = '2024-12-04T08:30:00.000Z';
  const file = { contentType: 'image/jpeg', byteSize: bytes.length, sha256, width: 4000, height: 3000 };
  const names = { username: 'mara', firstName: null, lastName: null, email: '', phoneNumber: null };
  const memories = Array.from({ length: PHOTOS }, (_, index) => ({
    id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    petId: null,
    caption: `${index} ${'snow '.repeat(20_000)}`,
    tags: [],
    isLiked: false,
    memoryDate: null,
    addedDay: '2024-12-04',
    source: 'web',
    createdAt,
    deletedAt: null,
    file: { ...file, path: pathOf(index) },
  }));
  const user = { ...names, timeZone: null, allowedSenders: [], createdAt };
  const head = { format: 'mems-are-forever-export', version: 1, exportedAt: createdAt };
  return { ...head, user, pets: [], memories, contacts: [], caricatures: [] };
}
