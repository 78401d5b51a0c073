import * as z from 'zod';
import { EXPORT_DAYS } from '#shared/transfers/export';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { exports } from '../../platform/db/schema/transfers/exports.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { runWorkItem, type UpdateItem, type WorkItems } from '../../platform/jobs/work-item.ts';
import { enqueueAccountEmail } from '../accounts/users/send-account-email-job.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { exportPartKey } from '../storage/object-keys.ts';
import {
  deleteExportParts,
  filterPartIds,
  insertExportPart,
  setPartSize,
  type ExportRow,
} from './export-queries.ts';
import { writeExport } from './write-export.ts';

export const exportItems: WorkItems<ExportRow> = {
  table: exports,
  status: 'making',
  since: exports.createdAt,
  maxWaitMs: 6 * 60 * 60 * 1000,
  async enqueue({ jobs }, tx, { ownerId, id: exportId }, delaySeconds) {
    await jobs.enqueue(tx, makeExportJob, { ownerId, exportId }, { delaySeconds });
  },
};

/** Every attempt starts over and takes the export from an earlier worker, which stops at its next photo. */
export const makeExportJob = defineJob({
  name: 'make-export',
  payload: z.object({ ownerId: z.string(), exportId: z.string() }),
  retries: 3,
  // 10 GB to a slow object storage.
  expireInSeconds: 6 * 60 * 60,
  async handle(context, { ownerId, exportId: id }, stopping) {
    const written: string[] = [];
    await runWorkItem(context, exportItems, { ownerId, id }, stopping, {
      onClaim: (tx) => deleteParts(context, tx, id),
      async work(row, update) {
        const isWritten = await write(context, row, update, { written, stopping });
        if (isWritten) await complete(context, row, update);
      },
      fail: (_row, update) => fail(context, id, update),
      onClaimLost: () => deletePartsWithoutRows(context, written),
    });
  },
});

/** @param written gets the ids of the parts. False if the account was deleted. */
async function write(
  context: AppContext,
  { id: exportId, ownerId, createdAt }: ExportRow,
  update: UpdateItem<ExportRow>,
  { written, stopping }: { written: string[]; stopping: AbortSignal | undefined },
): Promise<boolean> {
  const { db, storage, diskSpace } = context;
  let progress = 0;
  return writeExport(
    context,
    { ownerId, exportedAt: createdAt },
    {
      async onPart(number, bytesLeft) {
        await diskSpace.requireRoom(Math.min(bytesLeft, context.config.limits.exportPartBytes));
        await update();
        const partId = await insertExportPart(db, { exportId, ownerId, number });
        written.push(partId);
        return exportPartKey(partId);
      },
      async onPartStored(number) {
        const partId = written[number - 1] ?? '';
        const byteSize = await storage.sizeOf(exportPartKey(partId));
        if (byteSize === null) throw new Error('The part is not in the storage');
        await update();
        await setPartSize(db, partId, byteSize);
      },
      async onProgress(percent) {
        stopping?.throwIfAborted();
        // 100 only once all is stored.
        const next = Math.min(99, percent);
        if (next > progress) await update({ progress: (progress = next) });
      },
    },
  );
}

async function complete(
  context: AppContext,
  { ownerId }: Pick<ExportRow, 'ownerId'>,
  update: UpdateItem<ExportRow>,
): Promise<void> {
  const finishedAt = context.clock.now();
  await context.db.transaction(async (tx) => {
    await update({ status: 'completed', progress: 100, finishedAt }, tx);
    await enqueueAccountEmail(context, tx, ownerId, 'export-ready', { deadline: expiryOf({ finishedAt }) });
  });
}

async function fail(context: AppContext, id: string, update: UpdateItem<ExportRow>): Promise<void> {
  await context.db.transaction(async (tx) => {
    await update({ status: 'failed', finishedAt: context.clock.now() }, tx);
    await deleteParts(context, tx, id);
  });
}

async function deleteParts(context: AppContext, tx: Tx, id: string): Promise<void> {
  const partIds = await deleteExportParts(tx, id);
  await deleteObjects(context, tx, partIds.map(exportPartKey));
}

export function expiryOf({ finishedAt }: { finishedAt: Date }): Date {
  return new Date(finishedAt.getTime() + EXPORT_DAYS * 24 * 60 * 60 * 1000);
}

/** Their rows were deleted, perhaps before their objects were stored. */
async function deletePartsWithoutRows({ db, storage }: AppContext, partIds: string[]): Promise<void> {
  const remaining = await filterPartIds(db, partIds);
  for (const id of partIds) if (!remaining.includes(id)) await storage.delete(exportPartKey(id));
}
