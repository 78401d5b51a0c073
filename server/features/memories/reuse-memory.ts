import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { resumeDeliveries } from '../deliveries/create-deliveries.ts';
import { getPet } from '../pets/pet-queries.ts';
import { checkStorageLimit } from '../storage/storage-limit.ts';
import { chooseDate, type DateDetails, type NewMemory } from './create-memory.ts';
import { editMemoryIn } from './edit/edit-memory.ts';
import { lockMemoryOfPhoto } from './memory-photo-queries.ts';
import { findMemoryOrDeleted, type MemoryRow } from './memory-queries.ts';
import { purgeMemory, trashCutoff } from './trash/memory-trash.ts';
import { restoreMemoryRow } from './trash/memory-trash-queries.ts';

type Details = Pick<NewMemory, 'caption' | 'tags' | 'petId' | 'isLiked' | 'isSilent' | 'batchId'> &
  DateDetails;

/**
 * The owner's existing memory of this photo, or null. An album has each photo once (decision 26): the given details fill in
 * what an existing memory lacks. A memory in the trash is restored, and details that a person gave replace its own; in a batch it
 * stays there, since the person is asked.
 * Call it before `createMemory`, with the account's storage locked.
 * @throws AlbumFullError if it has no room for a caption or tags
 */
export async function reuseMemory(
  context: Pick<AppContext, 'config' | 'jobs' | 'clock'>,
  tx: Tx,
  { ownerId, image }: { ownerId: string; image: Pick<InspectedImage, 'sha256' | 'takenAt'> },
  details: Details,
): Promise<{ memory: MemoryRow; before: 'album' | 'trash' } | null> {
  const { caption, tags, petId, isLiked, isSilent, batchId } = details;
  // Before the memory, as renaming a pet does.
  if (petId) await getPet(tx, ownerId, petId, 'share');
  const since = trashCutoff(context.clock);
  let existing = await lockMemoryOfPhoto(tx, ownerId, image.sha256);
  while (existing?.deletedAt && existing.deletedAt < since) {
    await purgeMemory(context, tx, ownerId, existing.id);
    existing = await lockMemoryOfPhoto(tx, ownerId, image.sha256);
  }
  if (!existing) return null;
  const { id, deletedAt } = existing;
  if (deletedAt && batchId) {
    const memory = await findMemoryOrDeleted(tx, ownerId, id);
    return memory && { memory, before: 'trash' };
  }
  const shouldSet = (isEmpty: boolean) => isEmpty || deletedAt !== null;
  const text = {
    ...(shouldSet(existing.caption === null) && caption?.trim() && { caption }),
    ...(shouldSet(existing.tags.length === 0) && tags && tags.length > 0 && { tags }),
  };
  if (Object.keys(text).length > 0) await checkStorageLimit(context.config, tx, ownerId, 0);
  if (deletedAt) {
    await restoreMemoryRow(tx, ownerId, id, since);
    if (!isSilent) await resumeDeliveries(context, tx, ownerId, [id]);
  }
  const chosen = chooseDate(image, details);
  const isByPerson = chosen ? chosen.source === 'person' : details.isUndated;
  const memory = await editMemoryIn(tx, ownerId, id, {
    ...text,
    ...(isLiked && { isLiked }),
    ...(shouldSet(existing.petId === null) && petId && { petId }),
    ...((chosen && existing.memoryDay === null) || (isByPerson && deletedAt !== null)
      ? { memoryDate: chosen?.date ?? null, dateSource: chosen?.source ?? null }
      : {}),
  });
  return { memory, before: deletedAt ? 'trash' : 'album' };
}
