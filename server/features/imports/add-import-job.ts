import { Readable } from 'node:stream';
import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/db/database-errors.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { imports } from '../../platform/db/schema/transfers/imports.ts';
import {
  InsufficientStorageError,
  MAX_DECODE_ATTEMPTS,
  TooLargeError,
  UnavailableError,
} from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import {
  RetryLaterError,
  runWorkItem,
  type UpdateItem,
  type WorkItems,
} from '../../platform/jobs/work-item.ts';
import { openAlbumSpool } from '../exports/album-spool.ts';
import { findUser, isActive } from '../accounts/users/user-queries.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { chunkKeys, dataKey, dataKeys } from '../storage/object-keys.ts';
import { checkImport } from './check-import.ts';
import { importAlbum } from './import-album.ts';
import { ImportError } from './import-error.ts';
import { findImport, type ImportRow } from './import-queries.ts';
import type { ImportCounts } from './import-state.ts';
import { readImportData } from './read-archive/read-import-data.ts';
import { openImportZip, type ImportZip } from './read-archive/zip-reader.ts';

/** Of the storage, the database or the decoder, and a full disk: for so long after its upload an import is tried again. */
const MAX_OUTAGE_MS = 60 * 60 * 1000;
const OUTAGE_RETRY_SECONDS = 30;
const DATA = 'data.json';
const README = 'README.txt';
const MAX_README_BYTES = 100_000;

export const importItems: WorkItems<ImportRow> = {
  table: imports,
  status: 'working',
  since: imports.receivedAt,
  maxWaitMs: 6 * 60 * 60 * 1000,
  async enqueue({ jobs }, tx, { ownerId, id: importId }, delaySeconds) {
    await jobs.enqueue(tx, addImportJob, { ownerId, importId }, { delaySeconds });
  },
};

type Update = UpdateItem<ImportRow>;

/** Checks the whole zip, then adds what the album does not have. Every attempt starts over, and skips what an earlier one added. */
export const addImportJob = defineJob({
  name: 'add-import',
  payload: z.object({ ownerId: z.string(), importId: z.string() }),
  retries: 3,
  // Thousands of photos to a slow object storage.
  expireInSeconds: 6 * 60 * 60,
  async handle(context, { ownerId, importId: id }, stopping) {
    await runWorkItem(context, importItems, { ownerId, id }, stopping, {
      work: (row, update) =>
        run(context, row, update).catch((error: unknown) => endOrRetryLater(context, row, update, error)),
      fail: (row, update) => finish(context, row, update, toFailure(new ImportError('interrupted'))),
      onClaimLost: (row) => deleteDataWithoutRow(context, row),
    });
  },
});

/** @throws the error if another attempt may succeed */
async function endOrRetryLater(
  context: AppContext,
  row: ImportRow,
  update: Update,
  error: unknown,
): Promise<void> {
  const outageEnds = row.receivedAt.getTime() + MAX_OUTAGE_MS;
  if (isOutage(error) && context.clock.now().getTime() < outageEnds) {
    context.logger.warn({ err: error, importId: row.id }, 'An import waits for the end of an outage');
    throw new RetryLaterError(OUTAGE_RETRY_SECONDS, { cause: error });
  }
  const failure = toImportError(error);
  if (!failure) throw error;
  await finish(context, row, update, toFailure(failure));
}

async function run(context: AppContext, row: ImportRow, update: Update): Promise<void> {
  const { ownerId } = row;
  const requireActiveOwner = async (db: Db | Tx) => {
    const owner = await findUser(db, ownerId);
    if (!owner || !isActive(owner)) throw new ImportError('interrupted');
  };
  const proceed: Update = async (changes, tx) => {
    await update(changes, tx);
    await requireActiveOwner(tx ?? context.db);
  };
  await requireActiveOwner(context.db);
  const spool = await openAlbumSpool(context.diskSpace);
  try {
    const zip = await openImportZip(context.storage, row);
    const user = await readImportData(await findData(context, row, zip), spool);
    const isLastDecodeAttempt = row.attempts >= MAX_DECODE_ATTEMPTS;
    const source = { ownerId, zip, spool, user, isLastDecodeAttempt };
    const checked = await checkImport(context, source, proceed);
    // The data of an earlier part, of another export.
    if (zip.sizeOf(DATA) === null && checked.total === 0) throw new ImportError('no-data');
    await update(checked);
    const counts = await importAlbum(context, source, checked, proceed).catch(toInterruption);
    const dataId = await storeData(context, row, zip, counts, update);
    await finish(context, { ...row, dataId: dataId ?? row.dataId }, update, {
      status: 'completed',
      ...counts,
      dataId,
    });
  } finally {
    await spool.close();
  }
}

/** From the zip; or from an earlier part, since older releases wrote it only into the first. @throws ImportError */
async function findData(
  { storage }: AppContext,
  { dataId }: ImportRow,
  zip: ImportZip,
): Promise<() => AsyncIterable<Buffer>> {
  if (zip.sizeOf(DATA) !== null) return () => zip.readStream(DATA);
  if (!(await hasReadme(zip))) throw new ImportError('foreign');
  const key = dataId === null ? null : dataKey(dataId);
  if (key === null || (await storage.sizeOf(key)) === null) throw new ImportError('no-data');
  return async function* read() {
    for await (const chunk of (await storage.open(key)) ?? []) yield chunk as Buffer;
  };
}

async function hasReadme(zip: ImportZip): Promise<boolean> {
  const byteSize = zip.sizeOf(README);
  if (byteSize === null || byteSize > MAX_README_BYTES) return false;
  const chunks: Buffer[] = [];
  for await (const chunk of zip.readStream(README)) chunks.push(chunk);
  return Buffer.concat(chunks).toString().includes('Mems Are Forever');
}

/** For the other parts. @returns the import with the data; null if this was the only part. */
async function storeData(
  context: AppContext,
  row: ImportRow,
  zip: ImportZip,
  { missing }: ImportCounts,
  update: Update,
): Promise<string | null> {
  if (zip.sizeOf(DATA) === null) return row.dataId;
  if (missing === 0) return null;
  await context.diskSpace.requireRoom(zip.sizeOf(DATA) ?? 0);
  // Before the object is written, so that it can be found and deleted whatever interrupts the import.
  await context.db.transaction(async (tx) => {
    await update({ dataId: row.id }, tx);
    if (row.dataId !== row.id) await deleteObjects(context, tx, dataKeys(row));
  });
  const data = Readable.from(zip.readStream(DATA));
  await context.storage.writeStream(dataKey(row.id), data, 'application/json');
  return row.id;
}

/** The checked zip cannot be read any more. The other reasons say that nothing was changed. */
function toInterruption(error: unknown): never {
  throw error instanceof ImportError ? new ImportError('interrupted', null, { cause: error }) : error;
}

function isOutage(error: unknown): boolean {
  const isFull = error instanceof InsufficientStorageError;
  return isFull || error instanceof UnavailableError || isDatabaseUnavailable(error);
}

function toImportError(error: unknown): ImportError | null {
  if (error instanceof ImportError) return error;
  if (error instanceof TooLargeError) return new ImportError('album-full', null, { cause: error });
  if (error instanceof InsufficientStorageError) return new ImportError('no-room', null, { cause: error });
  return null;
}

function toFailure({ reason, detail }: ImportError): Partial<ImportRow> {
  return {
    status: 'failed',
    failureReason: reason,
    failureDetail: detail?.replaceAll('\0', '').slice(0, 200) ?? null,
  };
}

/** Deletes its chunks, too. */
async function finish(
  context: AppContext,
  row: ImportRow,
  update: Update,
  changes: Partial<ImportRow>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await update({ ...changes, finishedAt: context.clock.now() }, tx);
    await deleteObjects(context, tx, chunkKeys(row));
    if (changes.dataId !== undefined && changes.dataId !== row.dataId)
      await deleteObjects(context, tx, dataKeys(row));
  });
}

/** The row was deleted, perhaps before the data was stored. */
async function deleteDataWithoutRow({ db, storage }: AppContext, { ownerId, id }: ImportRow): Promise<void> {
  if (!(await findImport(db, ownerId, id))) await storage.delete(dataKey(id));
}
