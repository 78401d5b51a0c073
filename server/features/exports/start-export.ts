import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { exportPartKey } from '../storage/object-keys.ts';
import { sumImageBytes } from './export-data-queries.ts';
import {
  deleteExportRow,
  findExportOf,
  insertExport,
  listExportParts,
  type ExportRow,
} from './export-queries.ts';
import { makeExportJob } from './make-export-job.ts';

/** Replaces the owner's finished export. Idempotent while one is being made. @throws InsufficientStorageError, TooManyRequestsError */
export async function startExport(
  context: Pick<AppContext, 'db' | 'jobs' | 'clock' | 'diskSpace' | 'rateLimits'>,
  ownerId: string,
): Promise<ExportRow> {
  const { db } = context;
  const existing = await findExportOf(db, ownerId);
  if (existing?.status === 'making') return existing;
  const replaced = existing ? await listExportParts(db, existing.id) : [];
  const replacedBytes = replaced.reduce((sum, { byteSize }) => sum + (byteSize ?? 0), 0);
  await context.diskSpace.requireRoom(Math.max(0, (await sumImageBytes(db, ownerId)) - replacedBytes));
  await context.rateLimits.exportPerUser.consume(ownerId, 'Too many exports.');

  return db.transaction(async (tx) => {
    // Serializes concurrent calls, so that an owner has only one.
    await lockUser(tx, ownerId);
    const previous = await findExportOf(tx, ownerId);
    if (previous?.status === 'making') return previous;
    if (previous) await deleteExport(context, tx, previous.id);
    const created = await insertExport(tx, ownerId, context.clock.now());
    await context.jobs.enqueue(tx, makeExportJob, { ownerId, exportId: created.id });
    return created;
  });
}

export async function deleteExport(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  exportId: string,
): Promise<void> {
  const partIds = await deleteExportRow(tx, exportId);
  await deleteObjects(context, tx, partIds.map(exportPartKey));
}
