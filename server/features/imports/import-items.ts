import type { SquareCrop } from '#shared/photos/square-crop';
import type { Tx } from '../../platform/db/database.ts';
import { DecodeTimeoutError, UnsupportedImageError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import { insertContact } from '../contacts/contact-queries.ts';
import { claimSuppressionEntry } from '../contacts/suppression-list-queries.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { commitStagedImage, stageImage, type StagedImage } from '../images/stage-image.ts';
import { insertPet } from '../pets/pet-queries.ts';
import { lockStorage, withTextStorage } from '../storage/storage-limit.ts';
import {
  findExistingCaricature,
  findExistingPet,
  findMemoryByExportedId,
  hasContact,
  insertImportedCaricature,
  linkCaricature,
  markUnsubscribed,
  mutePets,
  setProfileImage,
  toAlbumId,
} from './album-item-queries.ts';
import { countAdded, countSkipped, isInZip, petIdOf, type ImportState, type ItemOf } from './import-state.ts';
import type { ImportFile } from './read-archive/read-import-data.ts';

type ImportedCrop = SquareCrop & { width: number; height: number };

type ImportedOriginal = { file: ImportFile; crop: ImportedCrop };

export async function importPet(state: ImportState, item: ItemOf<'pets'>): Promise<void> {
  const { context, ownerId } = state;
  const { picture, pictureOriginal, pictureCrop, ...pet } = item;
  const id = toAlbumId(ownerId, pet.id);
  const createdAt = new Date(pet.createdAt);
  const existing = await findExistingPet(context.db, ownerId, pet);
  const file = picture && isInZip(state, picture) ? picture : null;
  const original =
    pictureCrop && pictureOriginal && isInZip(state, pictureOriginal)
      ? { file: pictureOriginal, crop: pictureCrop }
      : null;
  state.petIds.set(pet.id, existing?.id ?? id);
  if (existing && !(file && existing.awaitsPicture)) return file ? countSkipped(state) : undefined;
  const awaitsPicture = picture !== null && file === null;
  const write = (tx: Tx, profileImageId: string | null, profileOriginalId: string | null = null) =>
    withTextStorage(context, tx, ownerId, async () => {
      const current = await findExistingPet(tx, ownerId, pet);
      const profileCrop = profileOriginalId === null ? null : (pictureCrop ?? null);
      const images = { profileImageId, profileOriginalId, profileCrop };
      if (!current) await insertPet(tx, { ...pet, ...images, id, ownerId, awaitsPicture, createdAt });
      else if (profileImageId) await setProfileImage(tx, current.id, images);
    });
  const exists = async (tx: Tx) => {
    const current = await findExistingPet(tx, ownerId, pet);
    return current !== null && !current.awaitsPicture;
  };
  if (file && (await importImage(state, file, exists, write, original))) return;
  await context.db.transaction((tx) => write(tx, null));
}

/** Switched off, and without the welcome email, which the owner sends by switching them on. */
export function importContact(state: ImportState, contact: ItemOf<'contacts'>): Promise<void> {
  const { context, ownerId } = state;
  const { name, email, relationship, frequency, unsubscribedAt, mutedPetIds } = contact;
  return context.db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const entry = await claimSuppressionEntry(tx, ownerId, email, context.clock.now());
    if (await hasContact(tx, ownerId, contact, entry.id)) return;
    const id = toAlbumId(ownerId, contact.id);
    const createdAt = new Date(contact.createdAt);
    const values = { id, ownerId, suppressionEntryId: entry.id, name, email, relationship, frequency };
    await insertContact(tx, { ...values, createdAt, isActive: false });
    if (unsubscribedAt !== null) await markUnsubscribed(tx, entry.id, new Date(unsubscribedAt));
    const petIds = mutedPetIds.map((petId) => petIdOf(state, petId));
    await mutePets(
      tx,
      id,
      petIds.filter((petId) => petId !== null),
    );
  });
}

export async function importCaricature(state: ImportState, item: ItemOf<'caricatures'>): Promise<void> {
  const { context, ownerId, matchedMemories } = state;
  const { file, style, artist } = item;
  const existing = await findExistingCaricature(context.db, ownerId, item);
  const id = existing?.id ?? toAlbumId(ownerId, item.id);
  if (existing && isInZip(state, file)) await countSkipped(state);
  else if (isInZip(state, file)) {
    const exists = async (tx: Tx) => (await findExistingCaricature(tx, ownerId, item)) !== null;
    const petId = petIdOf(state, item.petId);
    const createdAt = new Date(item.createdAt);
    await importImage(state, file, exists, (tx, imageId) =>
      insertImportedCaricature(tx, { id, ownerId, petId, imageId, style, generator: artist, createdAt }),
    );
  }
  const memoryOf = async (exportedId: string | null) =>
    exportedId === null
      ? null
      : (matchedMemories.get(exportedId) ?? (await findMemoryByExportedId(context.db, ownerId, exportedId)));
  const links = { memory: await memoryOf(item.memoryId), savedMemory: await memoryOf(item.savedMemoryId) };
  if (links.memory || links.savedMemory)
    await context.db.transaction((tx) => linkCaricature(tx, { ownerId, id }, links));
}

/** For `write`, unless another worker has added it. False if it cannot be decoded. */
async function importImage(
  state: ImportState,
  file: ImportFile,
  exists: (tx: Tx) => Promise<boolean>,
  write: (tx: Tx, imageId: string, originalId: string | null) => Promise<void>,
  original: ImportedOriginal | null = null,
): Promise<boolean> {
  const { context, ownerId, zip } = state;
  const bytes = await zip.read(file.path, file);
  await context.diskSpace.requireRoom();
  try {
    await stageImage(context, ownerId, bytes, (staged) =>
      withStagedOriginal(state, original, (stagedOriginal) =>
        context.db.transaction(async (tx) => {
          await lockStorage(tx, ownerId);
          if (await exists(tx)) return;
          await countAdded(state, tx);
          const commit = (each: StagedImage) => commitStagedImage(context, tx, ownerId, each);
          const { id: imageId } = await commit(staged);
          await write(tx, imageId, stagedOriginal && (await commit(stagedOriginal)).id);
          await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId });
        }),
      ),
    );
    return true;
  } catch (error) {
    if (!isUndecodable(state, error)) throw error;
    await countSkipped(state, { isUnreadable: true });
    return false;
  }
}

/** Without it if it cannot be decoded, or is not what its picture was cropped from. */
async function withStagedOriginal(
  state: ImportState,
  original: ImportedOriginal | null,
  use: (staged: StagedImage | null) => Promise<void>,
): Promise<void> {
  if (!original) return use(null);
  const { context, ownerId, zip } = state;
  const { file, crop } = original;
  let isDecoded = false;
  try {
    return await stageImage(context, ownerId, await zip.read(file.path, file), (staged) => {
      isDecoded = true;
      return use(isWithin(crop, staged.image) ? staged : null);
    });
  } catch (error) {
    if (isDecoded || !isUndecodable(state, error)) throw error;
  }
  await use(null);
}

function isUndecodable({ isLastDecodeAttempt }: ImportState, error: unknown): boolean {
  return (
    error instanceof UnsupportedImageError || (error instanceof DecodeTimeoutError && isLastDecodeAttempt)
  );
}

function isWithin(
  { left, top, size, ...of }: ImportedCrop,
  { width, height }: StagedImage['image'],
): boolean {
  return of.width === width && of.height === height && left + size <= width && top + size <= height;
}
