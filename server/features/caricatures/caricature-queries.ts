import { and, desc, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type {
  CaricatureGeneratorName,
  CaricatureFailureReason,
  CaricatureStyle,
} from '#shared/album/caricature';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { caricatures } from '../../platform/db/schema/album/caricatures.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { shares } from '../../platform/db/schema/album/shares.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';

export type CaricatureRow = typeof caricatures.$inferSelect;
export type ListedCaricature = CaricatureRow & { shareToken: string | null };
type StartValues = Pick<CaricatureRow, 'generator' | 'startedAt' | 'countedDay' | 'countedMonth'>;

export function listCaricatures(
  db: Db,
  ownerId: string,
  { petId, after, maxRows }: PageRange<CreatedAtCursor> & { petId?: string },
): Promise<ListedCaricature[]> {
  return selectCaricatures(db)
    .where(
      and(
        eq(caricatures.ownerId, ownerId),
        petId === undefined ? undefined : eq(caricatures.petId, petId),
        after ? isOlder(caricatures, after) : undefined,
      ),
    )
    .orderBy(desc(caricatures.createdAt), desc(caricatures.id))
    .limit(maxRows);
}

export async function getCaricature(db: Db | Tx, ownerId: string, id: string): Promise<ListedCaricature> {
  const [row] = await selectCaricatures(db).where(ownedBy(caricatures, ownerId, id));
  return orNotFound(row);
}

/** @throws NotFoundError, ConflictError while it is not completed */
export async function getCompletedCaricature(
  db: Db | Tx,
  ownerId: string,
  id: string,
): Promise<ListedCaricature & { imageId: string }> {
  const caricature = await getCaricature(db, ownerId, id);
  const { status, imageId } = caricature;
  if (status !== 'completed' || !imageId) throw new ConflictError('This caricature is not finished.');
  return { ...caricature, imageId };
}

export async function lockCaricature(tx: Tx, ownerId: string, id: string): Promise<CaricatureRow> {
  const [row] = await tx
    .select()
    .from(caricatures)
    .where(ownedBy(caricatures, ownerId, id))
    .for('update');
  return orNotFound(row);
}

export async function findGeneratingCaricature(
  tx: Tx,
  ownerId: string,
  { originalImageId, style }: { originalImageId: string; style: CaricatureStyle },
): Promise<CaricatureRow | null> {
  const [row] = await tx
    .select()
    .from(caricatures)
    .where(
      and(
        eq(caricatures.ownerId, ownerId),
        eq(caricatures.originalImageId, originalImageId),
        eq(caricatures.style, style),
        eq(caricatures.status, 'generating'),
      ),
    );
  return row ?? null;
}

export async function insertCaricature(
  tx: Tx,
  caricature: StartValues &
    Pick<CaricatureRow, 'ownerId' | 'petId' | 'memoryId' | 'originalImageId' | 'style'>,
): Promise<CaricatureRow> {
  const [row] = await tx
    .insert(caricatures)
    .values({ id: uuidv7(), status: 'generating', createdAt: caricature.startedAt, ...caricature })
    .returning();
  if (!row) throw new Error('The new caricature was not returned');
  return row;
}

export async function restartCaricature(
  tx: Tx,
  ownerId: string,
  id: string,
  values: StartValues,
): Promise<CaricatureRow> {
  const [row] = await tx
    .update(caricatures)
    .set({ status: 'generating', failureReason: null, attempts: 0, ...values })
    .where(ownedBy(caricatures, ownerId, id))
    .returning();
  return orNotFound(row);
}

/** Counts an attempt unless the image is stored already. Null when the caricature is no longer generating. */
export async function beginAttempt(db: Db, ownerId: string, id: string): Promise<CaricatureRow | null> {
  const [row] = await db
    .update(caricatures)
    .set({
      attempts: sql`${caricatures.attempts} + case when ${caricatures.imageId} is null then 1 else 0 end`,
    })
    .where(isGenerating(ownerId, id))
    .returning();
  return row ?? null;
}

export async function lockCaricatureWithoutImage(
  tx: Tx,
  ownerId: string,
  id: string,
): Promise<CaricatureRow | null> {
  const [row] = await tx
    .select()
    .from(caricatures)
    .where(and(ownedBy(caricatures, ownerId, id), isNull(caricatures.imageId)))
    .for('update');
  return row ?? null;
}

/** Also completes a caricature that has timed out: its image is paid for. */
export async function setGeneratedImage(
  tx: Tx,
  { ownerId, id, status }: Pick<CaricatureRow, 'ownerId' | 'id' | 'status'>,
  image: { imageId: string; generator: CaricatureGeneratorName },
): Promise<void> {
  const completed = status === 'failed' && { status: 'completed' as const, failureReason: null };
  await tx
    .update(caricatures)
    .set({ ...image, ...completed })
    .where(ownedBy(caricatures, ownerId, id));
}

/** Null: the next call is not counted yet. Returns false when the caricature is no longer generating. */
export async function setCountedMonth(
  tx: Tx,
  { ownerId, id }: Pick<CaricatureRow, 'ownerId' | 'id'>,
  countedMonth: string | null,
): Promise<boolean> {
  const rows = await tx
    .update(caricatures)
    .set({ countedMonth })
    .where(isGenerating(ownerId, id))
    .returning({ id: caricatures.id });
  return rows.length > 0;
}

export async function markCaricatureCompleted(db: Db, ownerId: string, id: string): Promise<void> {
  await db.update(caricatures).set({ status: 'completed' }).where(isGenerating(ownerId, id));
}

/** Returns the row before the change; null when it was no longer generating or has an image. */
export async function markCaricatureFailed(
  tx: Tx,
  ownerId: string,
  id: string,
  failureReason: CaricatureFailureReason,
): Promise<CaricatureRow | null> {
  const before = await lockCaricatureWithoutImage(tx, ownerId, id);
  if (before?.status !== 'generating') return null;
  await tx
    .update(caricatures)
    .set({ status: 'failed', failureReason, countedMonth: null })
    .where(ownedBy(caricatures, ownerId, id));
  return before;
}

export function listStaleCaricatures(
  db: Db,
  startedBefore: Date,
): Promise<Pick<CaricatureRow, 'ownerId' | 'id' | 'imageId'>[]> {
  return db
    .select({ ownerId: caricatures.ownerId, id: caricatures.id, imageId: caricatures.imageId })
    .from(caricatures)
    .where(and(eq(caricatures.status, 'generating'), lt(caricatures.startedAt, startedBefore)));
}

export async function setSavedMemory(tx: Tx, ownerId: string, id: string, memoryId: string): Promise<void> {
  const rows = await tx
    .update(caricatures)
    .set({ savedMemoryId: memoryId })
    .where(ownedBy(caricatures, ownerId, id))
    .returning({ id: caricatures.id });
  orNotFound(rows[0]);
}

/** Its share is deleted by a cascade; its image is not. */
export async function deleteCaricatureRow(tx: Tx, ownerId: string, id: string): Promise<CaricatureRow> {
  const [row] = await tx
    .delete(caricatures)
    .where(ownedBy(caricatures, ownerId, id))
    .returning();
  return orNotFound(row);
}

export async function findMemoryOfImage(
  tx: Tx,
  ownerId: string,
  imageId: string,
): Promise<{ id: string } | null> {
  const [row] = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), eq(memories.imageId, imageId), isNull(memories.deletedAt)))
    .for('share');
  return row ?? null;
}

function selectCaricatures(db: Db | Tx) {
  return db
    .select({ ...getTableColumns(caricatures), shareToken: shares.token })
    .from(caricatures)
    .leftJoin(shares, and(eq(shares.caricatureId, caricatures.id), isNull(shares.revokedAt)));
}

function isGenerating(ownerId: string, id: string) {
  return and(ownedBy(caricatures, ownerId, id), eq(caricatures.status, 'generating'));
}

function orNotFound<Row>(row: Row | undefined): Row {
  if (!row) throw new NotFoundError('This caricature was not found.');
  return row;
}
