import type { AppContext } from '../../platform/context.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { findImage } from '../images/image-queries.ts';
import { createMemory } from '../memories/create-memory.ts';
import { findMemory, type MemoryRow } from '../memories/memory-queries.ts';
import { getOwnPet } from '../pets/get-pet.ts';
import { withOwnPicture, type OwnPicture } from '../uploads/stage-image.ts';
import { commitStagedObject } from '../uploads/staged-object.ts';
import { checkStorageLimit, lockStorage } from '../uploads/storage-limit.ts';
import { getCompletedCaricature, setKeptMemory } from './caricature-queries.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;

/** By which it is found among the others. */
const TAG = 'caricature';

/**
 * Saves a caricature as a memory with its own copy of the picture, so that either can be deleted without the other. The
 * caption is a default that the owner can change. Idempotent until that memory is deleted.
 * @throws NotFoundError, ConflictError while it is not finished, TooLargeError when the album is full
 */
export async function keepCaricature(
  context: Context,
  ownerId: string,
  id: string,
  timeZone: string,
): Promise<MemoryRow> {
  const { keptMemoryId, imageId } = await getCompletedCaricature(context.db, ownerId, id);
  const kept = keptMemoryId && (await findMemory(context.db, ownerId, keptMemoryId));
  if (kept) return kept;
  const bytes = await readCaricature(context, ownerId, imageId);
  return withOwnPicture(context, ownerId, bytes, (picture) =>
    addMemory(context, ownerId, { id, timeZone, picture }),
  );
}

/** The bytes of what was drawn. */
export async function readCaricature(
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
  context: Context,
  ownerId: string,
  { id, timeZone, picture }: { id: string; timeZone: string; picture: OwnPicture },
): Promise<MemoryRow> {
  const { image, object } = picture;
  return context.db.transaction(async (tx) => {
    // Two at the same moment come one after the other.
    await lockStorage(tx, ownerId);
    const { petId, keptMemoryId } = await getCompletedCaricature(tx, ownerId, id);
    const kept = keptMemoryId && (await findMemory(tx, ownerId, keptMemoryId));
    if (kept) return kept;
    await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
    const pet = await getOwnPet(tx, ownerId, petId);
    const memory = await createMemory(context, tx, {
      ownerId,
      petId,
      timeZone,
      image,
      objectKey: object.key,
      source: 'caricature',
      caption: pet ? `${pet.name}'s caricature` : 'Caricature',
      tags: [TAG],
    });
    await commitStagedObject(tx, ownerId, object);
    await setKeptMemory(tx, ownerId, id, memory.id);
    return memory;
  });
}
