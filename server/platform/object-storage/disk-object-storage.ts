import { randomUUID } from 'node:crypto';
import { createWriteStream, readFile } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { BodyRoom, DiskSpace, WritePurpose } from '../files/disk-space.ts';
import { InsufficientStorageError, UnavailableError } from '../errors.ts';
import { syncToDisk } from '../files/sync-to-disk.ts';
import type { Clock } from '../time/clock.ts';
import {
  OBJECT_KEY,
  uploadIdIn,
  type ObjectReader,
  type ObjectStorage,
  type StoredObject,
  type StoredUpload,
  type UploadReceiver,
} from './object-storage.ts';
import { createLatestCalls } from './latest-calls.ts';
import { createUploadSigner, type SignedUpload } from './upload-signer.ts';

/** The `readFile` of fs/promises needs half as much CPU time again. */
const readWhole = promisify(readFile);

const TEMPORARY_FOLDER = 'tmp';

/** Needs no lock of the data folder. */
export function createDiskObjectReader(folder: string): ObjectReader {
  return {
    async open(key, range) {
      const handle = await nullIfMissing(open(fileOf(folder, key)));
      return handle?.createReadStream(range ?? {}) ?? null;
    },
    sizeOf: (key) => fileSize(fileOf(folder, key)),
    list: () => listFiles(folder, ''),
  };
}

function fileOf(folder: string, key: string): string {
  if (!OBJECT_KEY.test(key)) throw new Error(`Not a key of ours: ${key}`);
  return join(folder, key);
}

function uploadedFile(folder: string, uploadId: string): string {
  return fileOf(folder, `uploads/${uploadId}`);
}

/** In the order of the keys, for which a folder's name ends with a slash. */
async function* listFiles(folder: string, prefix: string): AsyncGenerator<StoredObject> {
  const entries = (await nullIfMissing(readdir(join(folder, prefix), { withFileTypes: true }))) ?? [];
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  for (const name of names.sort()) {
    const key = prefix + name;
    if (key === `${TEMPORARY_FOLDER}/`) continue;
    if (name.endsWith('/')) {
      yield* listFiles(folder, key);
      continue;
    }
    const found = OBJECT_KEY.test(key) ? await nullIfMissing(stat(join(folder, key))) : null;
    if (found) yield { key, size: found.size, version: String(found.mtimeMs) };
  }
}

type DiskOptions = {
  folder: string;
  secret: string;
  clock: Clock;
  /** Every object asks it for room. Null for a restore, which has checked that all of it fits. */
  diskSpace: Pick<DiskSpace, 'reserve'> | null;
  /** Tests replace it. */
  link?: typeof link;
};
type Disk = Required<Pick<DiskOptions, 'folder' | 'diskSpace' | 'link'>> & { temporaryFolder: string };

/** Objects as files. Browsers upload to signed URLs of the app. */
export async function createDiskObjectStorage(options: DiskOptions): Promise<ObjectStorage> {
  const { folder, diskSpace } = options;
  const signer = createUploadSigner(options.secret, options.clock);
  const temporaryFolder = join(folder, TEMPORARY_FOLDER);
  const disk: Disk = { folder, diskSpace, temporaryFolder, link: options.link ?? link };
  // Left by a killed process. No other process writes here, since the data folder is locked.
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  // Earlier releases marked completed uploads here.
  await rm(join(folder, 'sealed'), { recursive: true, force: true });
  return {
    createUploadUrl: (upload) =>
      Promise.resolve(`/uploads/${upload.uploadId}?${signer.sign(upload).toString()}`),
    uploadIdOf: uploadIdIn,
    isUploaded: (uploadId) => exists(uploadedFile(folder, uploadId)),
    storeUpload: (uploadId, key, maxBytes) => storeUpload(disk, { uploadId, key, maxBytes }),
    deleteUpload: (uploadId) => rm(uploadedFile(folder, uploadId), { force: true }),
    write: (key, body, _contentType, purpose) => writeObject(disk, key, body, purpose),
    writeStream: (key, body, _contentType, byteSize) => writeStream(disk, key, body, byteSize ?? null),
    read: (key) => nullIfMissing(readWhole(fileOf(folder, key))),
    ...createDiskObjectReader(folder),
    delete: (key) => rm(fileOf(folder, key), { force: true }),
    // They were in the temporary folder, which is emptied at the start.
    deleteIncomplete: () => Promise.resolve(),
    check: () => writeWhole(disk, join(temporaryFolder, 'check'), (file) => writePrivate(file, 'ok')),
    receiver: createReceiver(disk, signer),
    uploadOrigin: () => Promise.resolve(null),
  };
}

function writeObject(disk: Disk, key: string, body: Buffer, purpose?: WritePurpose): Promise<void> {
  return writeWhole(disk, fileOf(disk.folder, key), (file) =>
    withRoom(disk, body.length, () => writePrivate(file, body), purpose),
  );
}

/** Under a second name of the last PUT's file: each PUT makes a new file, and none is written to again. */
async function storeUpload(
  disk: Disk,
  { uploadId, key, maxBytes }: { uploadId: string; key: string; maxBytes: number },
): Promise<StoredUpload | 'too-large' | null> {
  const uploaded = uploadedFile(disk.folder, uploadId);
  const file = fileOf(disk.folder, key);
  const isLinked = await addName(disk, uploaded, file);
  const source = isLinked ? file : uploaded;
  const size = await fileSize(source);
  if (size !== null && size > maxBytes) {
    if (isLinked) await rm(file);
    return 'too-large';
  }
  const bytes = await nullIfMissing(readWhole(source));
  if (!bytes) return null;
  const stored = isLinked
    ? syncToDisk(dirname(file)).catch(throwStorageError)
    : writeObject(disk, key, bytes, 'accepted');
  return { bytes, stored };
}

/** False if there is no such file, or no link can be made: some file systems have none. */
async function addName({ link }: Disk, from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 }).catch(throwStorageError);
  return link(from, to).then(
    () => true,
    () => false,
  );
}

async function writeStream(disk: Disk, key: string, body: Readable, byteSize: number | null): Promise<void> {
  // It may fail before the pipeline listens, which then rejects.
  body.on('error', () => undefined);
  const write = (file: string) =>
    withRoom(disk, byteSize, (room) =>
      pipeline(body, new RoomCheck(room), createWriteStream(file, { mode: 0o600 })),
    );
  await writeWhole(disk, fileOf(disk.folder, key), write).finally(() => body.destroy());
}

function createReceiver(disk: Disk, signer: ReturnType<typeof createUploadSigner>): UploadReceiver {
  const latestPut = createLatestCalls();
  return {
    async receive(request) {
      const permission = signer.verify(request.uploadId, request.query);
      if (permission === 'forged' || permission === 'expired') return permission;
      await request.beforeStore(permission.sessionId);
      if (permission.contentType && permission.contentType !== request.contentType) return 'mistyped';
      const { contentLength } = request;
      if (contentLength !== null && contentLength > permission.maxBytes) return 'too-large';
      if (permission.size !== null && contentLength !== null && contentLength !== permission.size)
        return 'wrong-size';
      const bytes = contentLength ?? permission.size;
      const { uploadId, body } = request;
      // One body for each upload, the latest: many that stall would reserve all the room.
      return latestPut(uploadId, (superseded) =>
        withRoom(disk, bytes, (room) => store(disk, uploadId, permission, { body, room, superseded })),
      );
    },
  };
}

async function withRoom<Result>(
  { diskSpace }: Disk,
  bytes: number | null,
  write: (room: BodyRoom) => Promise<Result>,
  purpose?: WritePurpose,
): Promise<Result> {
  const room = (await diskSpace?.reserve(bytes, purpose)) ?? UNLIMITED_ROOM;
  return write(room).finally(() => room.end());
}

async function store(
  disk: Disk,
  uploadId: string,
  permission: SignedUpload,
  { body, room, superseded }: { body: Readable; room: BodyRoom; superseded: AbortSignal },
) {
  const counter = new ByteCounter(permission.size ?? permission.maxBytes);
  if (superseded.aborted) return 'superseded';
  try {
    await writeWhole(disk, uploadedFile(disk.folder, uploadId), async (file) => {
      await pipeline(body, counter, new RoomCheck(room), createWriteStream(file, { mode: 0o600 }), {
        signal: superseded,
      });
      if (permission.size !== null && counter.bytes !== permission.size) throw new WrongSizeError();
    });
    return 'stored';
  } catch (error) {
    if (error instanceof WrongSizeError)
      return counter.bytes > permission.maxBytes ? 'too-large' : 'wrong-size';
    if (superseded.aborted) return 'superseded';
    if (isDisconnect(error)) return 'incomplete';
    throw error;
  }
}

/** Atomic, and survives a power failure. */
async function writeWhole(
  { temporaryFolder }: Disk,
  file: string,
  write: (temporaryFile: string) => Promise<void>,
): Promise<void> {
  const temporaryFile = join(temporaryFolder, randomUUID());
  try {
    await write(temporaryFile);
    await syncToDisk(temporaryFile);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rename(temporaryFile, file);
    await syncToDisk(dirname(file));
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throwStorageError(error);
  }
}

function throwStorageError(error: unknown): never {
  if (isNoSpace(error)) throw new InsufficientStorageError(error);
  throw isDiskError(error) ? new UnavailableError(undefined, error) : error;
}

const UNLIMITED_ROOM: BodyRoom = { beforeChunk: () => Promise.resolve(), end: () => undefined };

function isNoSpace(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Not the request's fault. */
function isDiskError(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE'].includes(code);
}

function isDisconnect(error: unknown): boolean {
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '');
}

class WrongSizeError extends Error {}

/** Passes bytes on. @throws WrongSizeError above the limit */
class ByteCounter extends Transform {
  bytes = 0;
  constructor(private readonly limit: number) {
    super();
  }
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void) {
    this.bytes += chunk.length;
    if (this.bytes > this.limit) done(new WrongSizeError());
    else done(null, chunk);
  }
}

/** Passes bytes on. @throws InsufficientStorageError when others have filled the disk */
class RoomCheck extends Transform {
  constructor(private readonly room: BodyRoom) {
    super();
  }
  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void) {
    this.room.beforeChunk(chunk.length).then(
      () => done(null, chunk),
      (error: Error) => done(error),
    );
  }
}

function writePrivate(file: string, body: Buffer | string): Promise<void> {
  return writeFile(file, body, { mode: 0o600 });
}

async function exists(file: string): Promise<boolean> {
  return (await fileSize(file)) !== null;
}

async function fileSize(file: string): Promise<number | null> {
  return (await nullIfMissing(stat(file)))?.size ?? null;
}

async function nullIfMissing<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
