import { randomUUID } from 'node:crypto';
import { createWriteStream, readFile } from 'node:fs';
import { constants, copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { UnavailableError } from '../errors.ts';
import { syncToDisk } from '../sync-to-disk.ts';
import type { Clock } from '../clock.ts';
import { uploadIdIn, type ObjectStorage, type UploadReceiver } from './object-storage.ts';
import { createUploadSigner, type SignedUpload } from './upload-signer.ts';

/** The `readFile` of fs/promises needs half as much CPU time again. */
const readWhole = promisify(readFile);

const SAFE_KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*(\.[a-z0-9]+)?$/;

/** Objects as files. Browsers upload to signed URLs of the app. */
export async function createDiskObjectStorage(options: {
  folder: string;
  secret: string;
  clock: Clock;
}): Promise<ObjectStorage> {
  const signer = createUploadSigner(options.secret, options.clock);
  const temporaryFolder = join(options.folder, 'tmp');
  // Left by a killed process. No other process writes here, since the data folder is locked.
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });

  const fileOf = (key: string) => {
    if (!SAFE_KEY.test(key)) throw new Error(`Not a key of ours: ${key}`);
    return join(options.folder, key);
  };
  const uploadedFile = (uploadId: string) => fileOf(`uploads/${uploadId}`);
  const closedMark = (uploadId: string) => fileOf(`sealed/${uploadId}`);

  return {
    createUploadUrl: (upload) =>
      Promise.resolve(`/uploads/${upload.uploadId}?${signer.sign(upload).toString()}`),
    uploadIdOf: uploadIdIn,
    async copyUpload(uploadId, key) {
      const uploaded = uploadedFile(uploadId);
      if (!(await exists(uploaded))) return false;
      // First, so that a concurrent PUT cannot change the upload during the copy.
      await writeWhole(closedMark(uploadId), (file) => writePrivate(file, ''));
      // No hard link: exFAT, vboxsf and some network shares have none.
      const copied = writeWhole(fileOf(key), (file) => copyFile(uploaded, file, constants.COPYFILE_FICLONE));
      return (await nullIfMissing(copied.then(() => true))) ?? false;
    },
    closeUpload: (uploadId) => rm(uploadedFile(uploadId), { force: true }),
    async purgeUpload(uploadId) {
      await rm(uploadedFile(uploadId), { force: true });
      await rm(closedMark(uploadId), { force: true });
    },
    write: (key, body) => writeWhole(fileOf(key), (file) => writePrivate(file, body)),
    writeStream: (key, body) =>
      writeWhole(fileOf(key), (file) => pipeline(body, createWriteStream(file, { mode: 0o600 }))),
    read: (key) => nullIfMissing(readWhole(fileOf(key))),
    async open(key, range) {
      const handle = await nullIfMissing(open(fileOf(key)));
      return handle?.createReadStream(range ?? {}) ?? null;
    },
    sizeOf: (key) => fileSize(fileOf(key)),
    delete: (key) => rm(fileOf(key), { force: true }),
    check: () => writeWhole(join(temporaryFolder, 'check'), (file) => writePrivate(file, 'ok')),
    receiver: { receive },
    uploadOrigin: () => Promise.resolve(null),
  };

  async function receive(
    request: Parameters<UploadReceiver['receive']>[0],
  ): ReturnType<UploadReceiver['receive']> {
    const permission = signer.verify(request.uploadId, request.query);
    if (permission === 'forged' || permission === 'expired') return permission;
    if (await exists(closedMark(request.uploadId))) return 'completed';
    if (permission.contentType && permission.contentType !== request.contentType) return 'mistyped';
    const { contentLength } = request;
    if (contentLength !== null && contentLength > permission.maxBytes) return 'too-large';
    if (permission.size !== null && contentLength !== null && contentLength !== permission.size)
      return 'wrong-size';
    return store(request.uploadId, permission, request.body);
  }

  async function store(uploadId: string, permission: SignedUpload, body: Readable) {
    const counter = new ByteCounter(permission.size ?? permission.maxBytes);
    try {
      await writeWhole(uploadedFile(uploadId), async (file) => {
        await pipeline(body, counter, createWriteStream(file));
        if (permission.size !== null && counter.bytes !== permission.size) throw new WrongSizeError();
      });
      return 'stored';
    } catch (error) {
      if (error instanceof WrongSizeError)
        return counter.bytes > permission.maxBytes ? 'too-large' : 'wrong-size';
      if (isDisconnect(error)) return 'incomplete';
      throw error;
    }
  }

  /** Atomic, and survives a power failure. */
  async function writeWhole(file: string, write: (temporaryFile: string) => Promise<void>): Promise<void> {
    const temporaryFile = join(temporaryFolder, randomUUID());
    try {
      await write(temporaryFile);
      await syncToDisk(temporaryFile);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await rename(temporaryFile, file);
      await syncToDisk(dirname(file));
    } catch (error) {
      await rm(temporaryFile, { force: true });
      throw isDiskError(error) ? new UnavailableError(undefined, error) : error;
    }
  }
}

/** Not the request's fault. */
function isDiskError(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE'].includes(code);
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
