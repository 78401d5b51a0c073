import { MAX_ALLOWED_SENDERS } from '#shared/inbound-email';
import { MAX_PETS } from '#shared/pet';
import type { SquareCrop } from '#shared/square-crop';
import { MAX_BATCH_PHOTO_BYTES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { DecodeTimeoutError, UnsupportedImageError } from '../../platform/errors.ts';
import { insertContact } from '../contacts/contact-queries.ts';
import { claimSuppressionEntry } from '../contacts/suppression-list-queries.ts';
import type { AlbumItem, AlbumSpool } from '../exports/album-spool.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { createMemory } from '../memories/create-memory.ts';
import { trashCutoff } from '../memories/memory-trash.ts';
import { reuseMemory } from '../memories/reuse-memory.ts';
import { countPets, insertPet } from '../pets/pet-queries.ts';
import { inspectPhoto } from '../uploads/finalize-upload.ts';
import { commitStagedImage, stageImage, type StagedImage } from '../images/stage-image.ts';
import { commitStagedObject, withStagedObject } from '../images/staged-object.ts';
import { checkStorageLimit, hasStorageFor, lockStorage, withTextStorage } from '../storage/storage-limit.ts';
import { addAllowedSender, listAllowedSenders } from '../inbound-email/allowed-sender-queries.ts';
import { isInstallationAddress } from '../users/inbound-email-address.ts';
import { findUser, lockUser, updateTimeZone, updateUser, userTimeZone } from '../users/user-queries.ts';
import {
  findExistingCaricature,
  addPossibleAlbumIds,
  findDuplicateMemory,
  findMemoryByExportedId,
  findExistingMemory,
  findExistingPet,
  hasContact,
  insertImportedCaricature,
  isAlbumEmpty,
  linkCaricature,
  markUnsubscribed,
  mutePets,
  setProfileImage,
  toAlbumId,
  type Existing,
  type PossibleAlbumIds,
} from './album-item-queries.ts';
import { ImportError } from './import-error.ts';
import { getFile, getFiles, type ImportedUser, type ImportFile } from './read-import-data.ts';
import type { ImportZip } from './zip-reader.ts';

export type ImportCounts = {
  total: number;
  done: number;
  added: number;
  unreadable: number;
  missing: number;
};

export type ImportSource = {
  ownerId: string;
  zip: ImportZip;
  spool: AlbumSpool;
  user: ImportedUser;
  /** Then what takes the decoder too long is skipped, as what it cannot read. */
  isLastDecodeAttempt: boolean;
};

type ImportedCrop = SquareCrop & { width: number; height: number };

type ImportedOriginal = { file: ImportFile; crop: ImportedCrop };

type ItemOf<List extends AlbumItem['list']> = Extract<AlbumItem, { list: List }>['value'];

/** Checks every file of the zip that the data names, and first whether the album has room. Changes nothing. @throws ImportError */
export async function checkImport(
  context: AppContext,
  source: ImportSource,
  onFile: () => Promise<void>,
): Promise<ImportCounts> {
  const counts = await checkSizes(context, source);
  const { zip, spool } = source;
  for await (const item of spool.read()) {
    for (const file of getFiles(item)) {
      if (zip.sizeOf(file.path) === null) continue;
      await zip.read(file.path, file);
      await onFile();
    }
  }
  return counts;
}

/** Without reading the files, which may be hundreds of gigabytes. @throws ImportError */
async function checkSizes(context: AppContext, { ownerId, zip, spool }: ImportSource): Promise<ImportCounts> {
  const { db, config } = context;
  const counts: ImportCounts = { total: 0, done: 0, added: 0, unreadable: 0, missing: 0 };
  let newBytes = 0;
  let newPets = 0;
  const possibleAlbumIds = await readPossibleAlbumIds(spool, ownerId);
  for await (const item of spool.read()) {
    const exists = await isInAlbum(context, ownerId, item, possibleAlbumIds);
    if (item.list === 'pets' && !exists) newPets++;
    const file = getFile(item);
    if (!file) continue;
    if (zip.sizeOf(file.path) === null) {
      counts.missing++;
      continue;
    }
    for (const each of getFiles(item)) {
      const size = zip.sizeOf(each.path);
      if (size !== null && size !== each.byteSize) throw new ImportError('damaged', each.path);
      if (!exists && size !== null) newBytes += each.byteSize;
    }
    counts.total++;
  }
  if (newPets > 0 && (await countPets(db, ownerId)) + newPets > MAX_PETS)
    throw new ImportError('too-many-pets');
  if (newBytes > 0 && !(await hasStorageFor(config, db, ownerId, newBytes)))
    throw new ImportError('album-full');
  return counts;
}

async function readPossibleAlbumIds(spool: AlbumSpool, ownerId: string): Promise<PossibleAlbumIds> {
  const ids: PossibleAlbumIds = new Set();
  for await (const item of spool.read())
    if (item.list === 'memories') addPossibleAlbumIds(ids, ownerId, item.value);
  return ids;
}

async function isInAlbum(
  { db, clock }: AppContext,
  ownerId: string,
  item: AlbumItem,
  possibleAlbumIds: PossibleAlbumIds,
): Promise<boolean> {
  if (item.list === 'pets') return (await findExistingPet(db, ownerId, item.value)) !== null;
  if (item.list === 'memories') {
    const options = { possibleAlbumIds, trashedSince: trashCutoff(clock) };
    return (
      (await findExistingMemory(db, ownerId, item.value)) !== null ||
      (await findDuplicateMemory(db, ownerId, item.value, options)) !== null
    );
  }
  return item.list === 'caricatures' && (await findExistingCaricature(db, ownerId, item.value)) !== null;
}

/**
 * Adds what the album does not have, item after item, and leaves what it has as it is. Idempotent. Sends no emails.
 * @param onProgress in the transaction that adds an item, if one does; throws to stop
 */
export async function importAlbum(
  context: AppContext,
  { ownerId, zip, spool, user, isLastDecodeAttempt }: ImportSource,
  checked: ImportCounts,
  onProgress: (counts: ImportCounts, tx?: Tx) => Promise<void>,
): Promise<ImportCounts> {
  const { db, clock, storage } = context;
  const counts = { ...checked };
  /** By the exported id. */
  const petIds = new Map<string, string>();
  /** Memories that came back from another album, and have neither the exported id nor that of an import. */
  const matchedMemories = new Map<string, Existing & { imageId: string }>();
  const possibleAlbumIds = await readPossibleAlbumIds(spool, ownerId);
  const owner = await findUser(db, ownerId);
  const timeZone = owner ? userTimeZone(owner) : 'UTC';
  const isInZip = (path: string | undefined) => path !== undefined && zip.sizeOf(path) !== null;
  const petIdOf = (exportedId: string | null) => (exportedId && petIds.get(exportedId)) ?? null;

  const hasNewSenders = await db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    await onProgress(counts, tx);
    return (await isAlbumEmpty(tx, ownerId)) && fillProfile(context, tx, ownerId, user);
  });
  if (hasNewSenders) context.securityLog.record('allowed-senders-change', 'success', { userId: ownerId });
  for await (const item of spool.read()) {
    // Those with a file report their progress afterwards.
    if (!getFile(item)) await onProgress(counts);
    if (item.list === 'pets') await addPet(item.value);
    else if (item.list === 'memories') await addMemory(item.value);
    else if (item.list === 'contacts') await addContact(item.value);
    else await addCaricature(item.value);
  }
  return counts;

  async function countAdded(tx: Tx): Promise<void> {
    counts.done++;
    counts.added++;
    await onProgress(counts, tx);
  }

  /** It is there already, or cannot be decoded. */
  async function countSkipped({ isUnreadable = false } = {}): Promise<void> {
    counts.done++;
    counts.unreadable += Number(isUnreadable);
    await onProgress(counts);
  }

  async function addPet({ picture, pictureOriginal, pictureCrop, ...pet }: ItemOf<'pets'>): Promise<void> {
    const id = toAlbumId(ownerId, pet.id);
    const createdAt = new Date(pet.createdAt);
    const existing = await findExistingPet(db, ownerId, pet);
    const file = picture && isInZip(picture.path) ? picture : null;
    const original =
      pictureCrop && pictureOriginal && isInZip(pictureOriginal.path)
        ? { file: pictureOriginal, crop: pictureCrop }
        : null;
    petIds.set(pet.id, existing?.id ?? id);
    if (existing && !(file && existing.awaitsPicture)) return file ? countSkipped() : undefined;
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
    if (file && (await addImage(file, exists, write, original))) return;
    await db.transaction((tx) => write(tx, null));
  }

  async function addMemory(memory: ItemOf<'memories'>): Promise<void> {
    const { file } = memory;
    const existing = await findExistingMemory(db, ownerId, memory);
    const id = toAlbumId(ownerId, memory.id);
    if (existing && existing.id !== id && existing.id !== memory.id) matchedMemories.set(memory.id, existing);
    if (!isInZip(file.path)) return;
    if (existing) return countSkipped();
    const isReused = await db.transaction(async (tx) => {
      await lockStorage(tx, ownerId);
      return reuseDuplicate(tx, memory);
    });
    if (isReused) return;
    const bytes = await zip.read(file.path, file);
    await context.diskSpace.requireRoom();
    await withStagedObject(context, ownerId, async (object) => {
      const image = await inspectPhoto(context, ownerId, object.id, bytes, {
        maxBytes: MAX_BATCH_PHOTO_BYTES,
        isLastAttempt: isLastDecodeAttempt,
      });
      if (typeof image === 'string') return countSkipped({ isUnreadable: true });
      await storage.write(object.key, bytes, image.contentType);
      await db.transaction(async (tx) => {
        await lockStorage(tx, ownerId);
        // Another worker may have added it.
        if (await findExistingMemory(tx, ownerId, memory)) return;
        if (await reuseDuplicate(tx, memory)) return;
        await countAdded(tx);
        await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
        await createMemory(context, tx, {
          ownerId,
          source: memory.source,
          timeZone,
          image,
          imageId: object.id,
          objectKey: object.key,
          ...toDetails(memory),
          isDuplicateAllowed: true,
          imported: {
            id,
            createdAt: new Date(memory.createdAt),
            addedDay: memory.addedDay,
            dateSource: memory.dateSource ?? null,
            dismissedAt: memory.isDismissed ? context.clock.now() : null,
            deletedAt: memory.deletedAt === null ? null : new Date(memory.deletedAt),
          },
        });
        await commitStagedObject(tx, ownerId, object);
      });
    });
  }

  function toDetails(memory: ItemOf<'memories'>) {
    const { caption, tags, memoryDate, isLiked, dateSource = null } = memory;
    const petId = petIdOf(memory.petId);
    return { caption, tags, memoryDate, isLiked, petId, isSilent: true, imported: { dateSource } };
  }

  /**
   * The album's own memory of this photo takes over what it lacks, and comes out of the trash unless the exported one was there,
   * too. Counts it. With the account's storage locked. False if there is none.
   */
  async function reuseDuplicate(tx: Tx, memory: ItemOf<'memories'>): Promise<boolean> {
    const options = { possibleAlbumIds, trashedSince: trashCutoff(clock) };
    const duplicate = await findDuplicateMemory(tx, ownerId, memory, options);
    if (!duplicate) return false;
    matchedMemories.set(memory.id, duplicate);
    if (memory.deletedAt === null) {
      const image = { sha256: memory.file.sha256, takenAt: null };
      await reuseMemory(context, tx, { ownerId, image }, toDetails(memory));
    }
    counts.done++;
    await onProgress(counts, tx);
    return true;
  }

  /** Switched off, and without the welcome email, which the owner sends by switching them on. */
  function addContact(contact: ItemOf<'contacts'>): Promise<void> {
    const { name, email, relationship, frequency, unsubscribedAt, mutedPetIds } = contact;
    return db.transaction(async (tx) => {
      await lockUser(tx, ownerId);
      const entry = await claimSuppressionEntry(tx, ownerId, email, clock.now());
      if (await hasContact(tx, ownerId, contact, entry.id)) return;
      const id = toAlbumId(ownerId, contact.id);
      const createdAt = new Date(contact.createdAt);
      const values = { id, ownerId, suppressionEntryId: entry.id, name, email, relationship, frequency };
      await insertContact(tx, { ...values, createdAt, isActive: false });
      if (unsubscribedAt !== null) await markUnsubscribed(tx, entry.id, new Date(unsubscribedAt));
      await mutePets(
        tx,
        id,
        mutedPetIds.map(petIdOf).filter((petId) => petId !== null),
      );
    });
  }

  async function addCaricature(caricature: ItemOf<'caricatures'>): Promise<void> {
    const { file, style, artist } = caricature;
    const existing = await findExistingCaricature(db, ownerId, caricature);
    const id = existing?.id ?? toAlbumId(ownerId, caricature.id);
    if (existing && isInZip(file.path)) await countSkipped();
    else if (isInZip(file.path)) {
      const exists = async (tx: Tx) => (await findExistingCaricature(tx, ownerId, caricature)) !== null;
      const petId = petIdOf(caricature.petId);
      const createdAt = new Date(caricature.createdAt);
      await addImage(file, exists, (tx, imageId) =>
        insertImportedCaricature(tx, { id, ownerId, petId, imageId, style, generator: artist, createdAt }),
      );
    }
    const memoryOf = async (exportedId: string | null) =>
      exportedId === null
        ? null
        : (matchedMemories.get(exportedId) ?? (await findMemoryByExportedId(db, ownerId, exportedId)));
    const links = {
      memory: await memoryOf(caricature.memoryId),
      savedMemory: await memoryOf(caricature.savedMemoryId),
    };
    if (links.memory || links.savedMemory)
      await db.transaction((tx) => linkCaricature(tx, { ownerId, id }, links));
  }

  /** Without it if it cannot be decoded, or is not what its picture was cropped from. */
  async function withStagedOriginal(
    original: ImportedOriginal | null,
    use: (staged: StagedImage | null) => Promise<void>,
  ): Promise<void> {
    if (!original) return use(null);
    const { file, crop } = original;
    let isDecoded = false;
    try {
      return await stageImage(context, ownerId, await zip.read(file.path, file), (staged) => {
        isDecoded = true;
        return use(isWithin(crop, staged.image) ? staged : null);
      });
    } catch (error) {
      if (isDecoded || !isUndecodable(error)) throw error;
    }
    await use(null);
  }

  function isUndecodable(error: unknown): boolean {
    return (
      error instanceof UnsupportedImageError || (error instanceof DecodeTimeoutError && isLastDecodeAttempt)
    );
  }

  /** For `write`, unless another worker has added it. False if it cannot be decoded. */
  async function addImage(
    file: ImportFile,
    exists: (tx: Tx) => Promise<boolean>,
    write: (tx: Tx, imageId: string, originalId: string | null) => Promise<void>,
    original: ImportedOriginal | null = null,
  ): Promise<boolean> {
    const bytes = await zip.read(file.path, file);
    await context.diskSpace.requireRoom();
    try {
      await stageImage(context, ownerId, bytes, (staged) =>
        withStagedOriginal(original, (stagedOriginal) =>
          db.transaction(async (tx) => {
            await lockStorage(tx, ownerId);
            if (await exists(tx)) return;
            await countAdded(tx);
            const commit = (each: StagedImage) => commitStagedImage(context, tx, ownerId, each);
            const { id: imageId } = await commit(staged);
            await write(tx, imageId, stagedOriginal && (await commit(stagedOriginal)).id);
            await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId });
          }),
        ),
      );
      return true;
    } catch (error) {
      if (!isUndecodable(error)) throw error;
      await countSkipped({ isUnreadable: true });
      return false;
    }
  }
}

function isWithin(
  { left, top, size, ...of }: ImportedCrop,
  { width, height }: StagedImage['image'],
): boolean {
  return of.width === width && of.height === height && left + size <= width && top + size <= height;
}

/**
 * What the owner has not entered yet. The username, the email address and the phone number are this account's.
 * @returns whether it added allowed senders
 */
async function fillProfile(
  context: AppContext,
  tx: Tx,
  ownerId: string,
  { firstName, lastName, timeZone, allowedSenders }: ImportedUser,
): Promise<boolean> {
  const owner = await findUser(tx, ownerId);
  if (!owner) return false;
  await updateUser(tx, ownerId, {
    firstName: owner.firstName ?? firstName,
    lastName: owner.lastName ?? lastName,
  });
  if (owner.timeZone === null && timeZone !== null) await updateTimeZone(tx, ownerId, timeZone);
  const present = await listAllowedSenders(tx, ownerId);
  const added = allowedSenders
    .filter((address) => !present.includes(address) && !isInstallationAddress(context.config, address))
    .slice(0, MAX_ALLOWED_SENDERS - present.length);
  for (const address of added) await addAllowedSender(tx, ownerId, address);
  return added.length > 0;
}
