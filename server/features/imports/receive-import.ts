import { pipeline, Transform, type Readable } from 'node:stream';
import type * as z from 'zod/mini';
import { IMPORT_CHUNK_BYTES, MAX_IMPORT_BYTES, type StartImportRequest } from '#shared/transfers/import';
import type { AppContext } from '../../platform/context.ts';
import { AppError, ConflictError, NotFoundError, TooLargeError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { chunkKey, chunkKeys, importKeys } from '../storage/object-keys.ts';
import { addImportJob } from './add-import-job.ts';
import {
  addReceivedBytes,
  deleteImportRow,
  findImport,
  findImportOf,
  insertImport,
  type ImportRow,
} from './import-queries.ts';

const IS_WORKING = 'An import is being added to your album already. Please wait until it is done.';

type NewFile = z.output<typeof StartImportRequest>;

/** Continues the same file, and replaces any other import unless it is being added. @throws ConflictError, TooLargeError, InsufficientStorageError */
export async function startImport(
  context: AppContext,
  ownerId: string,
  { fileName, size: byteSize }: NewFile,
): Promise<ImportRow> {
  const { db, clock, diskSpace, rateLimits } = context;
  if (byteSize > MAX_IMPORT_BYTES) throw new TooLargeError('A part of an export has at most 4 GB.');
  const isSame = (row: ImportRow | null) =>
    row?.status === 'receiving' && row.fileName === fileName && row.byteSize === byteSize;
  const existing = await findImportOf(db, ownerId);
  if (existing && isSame(existing)) return existing;
  if (existing?.status === 'working') throw new ConflictError(IS_WORKING);
  // The chunks and the photos in them are both stored until the import ends.
  await diskSpace.requireRoom(2 * byteSize);
  await rateLimits.importPerUser.consume(ownerId, 'Too many imports.');
  return db.transaction(async (tx) => {
    // Serializes concurrent calls, so that an owner has only one.
    await lockUser(tx, ownerId);
    const previous = await findImportOf(tx, ownerId);
    if (previous?.status === 'working') throw new ConflictError(IS_WORKING);
    if (previous && isSame(previous)) return previous;
    if (previous) {
      await deleteImportRow(tx, previous.id);
      await deleteObjects(context, tx, chunkKeys(previous));
    }
    const dataId = previous?.dataId ?? null;
    return insertImport(tx, { ownerId, fileName, byteSize, dataId, createdAt: clock.now() });
  });
}

/** Idempotent. The last chunk starts the job. @throws NotFoundError, ConflictError, InsufficientStorageError, AppError for a chunk of another size */
export async function receiveChunk(
  context: AppContext,
  ownerId: string,
  { id, number, body }: { id: string; number: number; body: Readable },
): Promise<ImportRow> {
  const { db, storage, clock, jobs, diskSpace } = context;
  const row = await findImport(db, ownerId, id);
  const receivedBytes = number * IMPORT_CHUNK_BYTES;
  if (!row || receivedBytes >= row.byteSize) throw new NotFoundError();
  if (receivedBytes < row.receivedBytes) return row;
  if (receivedBytes > row.receivedBytes || row.status !== 'receiving')
    throw new ConflictError('An earlier piece of the file is missing. Please choose it again.');
  const bytes = Math.min(IMPORT_CHUNK_BYTES, row.byteSize - receivedBytes);
  const key = chunkKey(id, number);
  await diskSpace.requireRoom(bytes);
  // `writeStream` reports the error of a body that ends too early.
  const counted = pipeline(body, exactly(bytes), () => undefined);
  await storage.writeStream(key, counted, 'application/octet-stream', bytes);
  const updated = await db.transaction(async (tx) => {
    const received = await addReceivedBytes(tx, row, { bytes, now: clock.now() });
    if (received?.status === 'working') await jobs.enqueue(tx, addImportJob, { ownerId, importId: id });
    return received;
  });
  if (updated) return updated;
  // A concurrent request stored the same chunk, or the import is gone.
  const current = await findImport(db, ownerId, id);
  if (current) return current;
  await storage.delete(key);
  throw new NotFoundError();
}

function exactly(byteSize: number): Transform {
  let received = 0;
  const wrongSize = () => new AppError(400, 'The piece of the file was cut off on the way.');
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > byteSize) done(wrongSize());
      else done(null, chunk);
    },
    flush: (done) => done(received === byteSize ? null : wrongSize()),
  });
}

/** Stops receiving it, or hides its result. What was added stays. @throws ConflictError while it is being added */
export async function deleteImport(context: AppContext, ownerId: string, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const row = await findImport(tx, ownerId, id);
    if (!row) throw new NotFoundError();
    if (row.status === 'working') throw new ConflictError(IS_WORKING);
    await deleteImportRow(tx, id);
    await deleteObjects(context, tx, importKeys(row));
  });
}
