import { MAX_BATCH_PHOTO_BYTES } from '#shared/transfers/upload';
import type { Tx } from '../../platform/db/database.ts';
import { commitStagedObject, withStagedObject, type StagedObject } from '../images/staged-object.ts';
import { createMemory } from '../memories/create-memory.ts';
import { reuseMemory } from '../memories/reuse-memory.ts';
import { trashCutoff } from '../memories/trash/memory-trash.ts';
import { checkStorageLimit, lockStorage } from '../storage/storage-limit.ts';
import { inspectPhoto } from '../uploads/finalize-upload.ts';
import { findDuplicateMemory, findExistingMemory, toAlbumId } from './album-item-queries.ts';
import { countAdded, countSkipped, isInZip, petIdOf, type ImportState, type ItemOf } from './import-state.ts';

type ImportedMemory = ItemOf<'memories'>;
type Photo = Exclude<Awaited<ReturnType<typeof inspectPhoto>>, string>;

export async function importMemory(state: ImportState, memory: ImportedMemory): Promise<void> {
  const { context, ownerId, zip, matchedMemories } = state;
  const { file } = memory;
  const existing = await findExistingMemory(context.db, ownerId, memory);
  const id = toAlbumId(ownerId, memory.id);
  if (existing && existing.id !== id && existing.id !== memory.id) matchedMemories.set(memory.id, existing);
  if (!isInZip(state, file)) return;
  if (existing) return countSkipped(state);
  const isReused = await context.db.transaction(async (tx) => {
    await lockStorage(tx, ownerId);
    return reuseDuplicate(state, tx, memory);
  });
  if (isReused) return;
  const bytes = await zip.read(file.path, file);
  await context.diskSpace.requireRoom();
  await withStagedObject(context, ownerId, async (object) => {
    const image = await inspectPhoto(context, ownerId, object.id, bytes, {
      maxBytes: MAX_BATCH_PHOTO_BYTES,
      isLastAttempt: state.isLastDecodeAttempt,
    });
    if (typeof image === 'string') return countSkipped(state, { isUnreadable: true });
    await context.storage.write(object.key, bytes, image.contentType);
    await context.db.transaction((tx) => addMemory(state, tx, memory, object, image));
  });
}

async function addMemory(
  state: ImportState,
  tx: Tx,
  memory: ImportedMemory,
  object: StagedObject,
  image: Photo,
): Promise<void> {
  const { context, ownerId, timeZone } = state;
  await lockStorage(tx, ownerId);
  // Another worker may have added it.
  if (await findExistingMemory(tx, ownerId, memory)) return;
  if (await reuseDuplicate(state, tx, memory)) return;
  await countAdded(state, tx);
  await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
  await createMemory(context, tx, {
    ownerId,
    source: memory.source,
    timeZone,
    image,
    imageId: object.id,
    objectKey: object.key,
    ...toDetails(state, memory),
    isDuplicateAllowed: true,
    imported: {
      id: toAlbumId(ownerId, memory.id),
      createdAt: new Date(memory.createdAt),
      addedDay: memory.addedDay,
      dateSource: memory.dateSource ?? null,
      dismissedAt: memory.isDismissed ? context.clock.now() : null,
      deletedAt: memory.deletedAt === null ? null : new Date(memory.deletedAt),
    },
  });
  await commitStagedObject(tx, ownerId, object);
}

function toDetails(state: ImportState, memory: ImportedMemory) {
  const { caption, tags, memoryDate, isLiked, dateSource = null } = memory;
  const petId = petIdOf(state, memory.petId);
  return { caption, tags, memoryDate, isLiked, petId, isSilent: true, imported: { dateSource } };
}

/**
 * The album's own memory of this photo takes over what it lacks, and comes out of the trash unless the exported one was there,
 * too. Counts it. With the account's storage locked. False if there is none.
 */
async function reuseDuplicate(state: ImportState, tx: Tx, memory: ImportedMemory): Promise<boolean> {
  const { context, ownerId, possibleAlbumIds, matchedMemories } = state;
  const options = { possibleAlbumIds, trashedSince: trashCutoff(context.clock) };
  const duplicate = await findDuplicateMemory(tx, ownerId, memory, options);
  if (!duplicate) return false;
  matchedMemories.set(memory.id, duplicate);
  if (memory.deletedAt === null) {
    const image = { sha256: memory.file.sha256, takenAt: null };
    await reuseMemory(context, tx, { ownerId, image }, toDetails(state, memory));
  }
  await countSkipped(state, { tx });
  return true;
}
