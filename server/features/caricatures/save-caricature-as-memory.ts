import type { AppContext } from '../../platform/context.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { findImage } from '../images/image-queries.ts';
import { createMemory } from '../memories/create-memory.ts';
import { findMemory, type MemoryRow } from '../memories/memory-queries.ts';
import { reuseMemory } from '../memories/reuse-memory.ts';
import { getPet } from '../pets/pet-queries.ts';
import { stageImage, type StagedImage } from '../images/stage-image.ts';
import { commitStagedObject } from '../images/staged-object.ts';
import { checkStorageLimit, lockStorage } from '../storage/storage-limit.ts';
import { getCompletedCaricature, setSavedMemory } from './caricature-queries.ts';

/** With its own copy of the image, so that either can be deleted without the other. Idempotent. */
export async function saveCaricatureAsMemory(
  context: AppContext,
  ownerId: string,
  id: string,
  timeZone: string,
): Promise<MemoryRow> {
  const { savedMemoryId, imageId } = await getCompletedCaricature(context.db, ownerId, id);
  const saved = savedMemoryId && (await findMemory(context.db, ownerId, savedMemoryId));
  if (saved) return saved;
  await context.diskSpace.requireRoom();
  return context.imageDecoder.withDecodeSlot(ownerId, async () => {
    const bytes = await readCaricatureBytes(context, ownerId, imageId);
    return stageImage(context, ownerId, bytes, (staged) =>
      addMemory(context, ownerId, { id, timeZone, staged }),
    );
  });
}

export async function readCaricatureBytes(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  imageId: string,
): Promise<Buffer> {
  const image = await findImage(db, ownerId, imageId);
  const bytes = image && (await storage.read(image.objectKey));
  if (!bytes) throw new UnavailableError();
  return bytes;
}

function addMemory(
  context: AppContext,
  ownerId: string,
  { id, timeZone, staged }: { id: string; timeZone: string; staged: StagedImage },
): Promise<MemoryRow> {
  const { image, object } = staged;
  return context.db.transaction(async (tx) => {
    // Serializes concurrent calls, so that only one memory is created.
    await lockStorage(tx, ownerId);
    const { petId, savedMemoryId } = await getCompletedCaricature(tx, ownerId, id);
    const saved = savedMemoryId && (await findMemory(tx, ownerId, savedMemoryId));
    if (saved) return saved;
    const existing = await reuseMemory(context, tx, { ownerId, image }, {});
    if (existing) {
      await setSavedMemory(tx, ownerId, id, existing.memory.id);
      return existing.memory;
    }
    await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
    const pet = petId && (await getPet(tx, ownerId, petId, 'share'));
    const memory = await createMemory(context, tx, {
      ownerId,
      petId,
      timeZone,
      image,
      objectKey: object.key,
      source: 'caricature',
      caption: pet ? `${pet.name}'s caricature` : 'Caricature',
      tags: ['caricature'],
    });
    await commitStagedObject(tx, ownerId, object);
    await setSavedMemory(tx, ownerId, id, memory.id);
    return memory;
  });
}
