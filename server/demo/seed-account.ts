import { randomBytes, randomUUID } from 'node:crypto';
import { toCalendarDay } from '#shared/dates/calendar-date';
import type { AppContext } from '../platform/context.ts';
import type { Tx } from '../platform/db/database.ts';
import type { InspectedImage } from '../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createMemory } from '../features/memories/create-memory.ts';
import { updateMemory } from '../features/memories/memory-queries.ts';
import { insertPet, listPets } from '../features/pets/pet-queries.ts';
import { checkStorageLimit, lockStorage } from '../features/storage/storage-limit.ts';
import { NO_REGISTRATION_LIMITS } from '../features/accounts/user-api/registration-limits.ts';
import { registerUser } from '../features/accounts/user-api/user-service.ts';
import { findUserByEmail, lockUser, type UserRow } from '../features/accounts/users/user-queries.ts';
import { seedCaptionAndTags, seedPet } from './seed-content.ts';
import type { SeedOptions } from './seed-options.ts';
import { createSeedPhoto, type SeedPhoto } from './seed-photos.ts';
import { countMemoriesOf } from './seed-queries.ts';
import { seededRandom } from '../platform/seeded-random.ts';

type Owner = { ownerId: string; petIds: string[] };

const BATCH = 100;
const YEARS_MS = 8 * 365 * 24 * 60 * 60 * 1000;

/** Fills an account up to the given numbers. Continues after an interruption. The password is a new account's, else null. Image variants are created on demand. */
export async function seedAccount(
  context: AppContext,
  { email, memories, pets }: SeedOptions,
  {
    report = () => {},
    isEnded = () => false,
  }: { report?: (line: string) => void; isEnded?: () => boolean } = {},
): Promise<{ user: UserRow; added: number; password: string | null }> {
  const existing = await findUserByEmail(context.db, email);
  const password = existing ? null : randomBytes(12).toString('base64url');
  const user =
    existing ??
    (await registerUser(
      context,
      { email, username: email.slice(0, 50), password: password ?? '' },
      { invitation: null, limits: NO_REGISTRATION_LIMITS },
    ));
  const owner = { ownerId: user.id, petIds: await addPets(context, user.id, pets) };
  const photos = createPhotoBatches(memories);
  let added = 0;
  while (!isEnded()) {
    const batch = await addBatch(context, owner, photos, memories);
    if (batch === 0) break;
    added += batch;
    if (added % 1000 === 0) report(`${added} memories added`);
  }
  return { user, added, password };
}

function addPets({ db, clock }: AppContext, ownerId: string, wanted: number): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const ids = (await listPets(db, ownerId)).map(({ id }) => id);
    for (let number = ids.length; number < wanted; number++) {
      const pet = await insertPet(tx, { ...seedPet(number), ownerId, createdAt: clock.now() });
      ids.push(pet.id);
    }
    return ids;
  });
}

type NumberedPhoto = SeedPhoto & { number: number };
type PhotoBatches = (first: number) => Promise<NumberedPhoto[]>;

/** Renders the next batch while the database writes the current one. */
function createPhotoBatches(end: number): PhotoBatches {
  const render = (first: number) => {
    const numbers = Array.from({ length: Math.max(0, Math.min(BATCH, end - first)) }, (_, i) => first + i);
    const photos = Promise.all(
      numbers.map(async (number) => ({ number, ...(await createSeedPhoto(number)) })),
    );
    // Reported when the batch is awaited; until then the rejection must not count as unhandled.
    photos.catch(() => {});
    return { first, photos };
  };
  let ahead: ReturnType<typeof render> | null = null;
  return async (first) => {
    const photos = await (ahead?.first === first ? ahead : render(first)).photos;
    ahead = render(first + BATCH);
    return photos;
  };
}

/** Holds the account's storage lock, so that concurrent seeds count the memories one after the other. */
function addBatch(context: AppContext, owner: Owner, photos: PhotoBatches, wanted: number): Promise<number> {
  const { ownerId } = owner;
  return context.db.transaction(async (tx) => {
    await lockStorage(tx, ownerId);
    const first = await countMemoriesOf(tx, ownerId);
    if (first >= wanted) return 0;
    const batch = (await photos(first)).map((photo) => ({
      ...photo,
      objectKey: `originals/${randomUUID()}`,
    }));
    const byteSize = batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
    await checkStorageLimit(context.config, tx, ownerId, byteSize);
    await Promise.all(
      batch.map(({ bytes, image, objectKey }) => context.storage.write(objectKey, bytes, image.contentType)),
    );
    for (const { number, image, objectKey } of batch) {
      await addMemory(context, tx, owner, number, { image, objectKey });
    }
    return batch.length;
  });
}

async function addMemory(
  { config, clock, jobs }: AppContext,
  tx: Tx,
  { ownerId, petIds }: Owner,
  number: number,
  photo: { image: InspectedImage; objectKey: string },
): Promise<void> {
  const random = seededRandom(number);
  const createdAt = new Date(clock.now().getTime() - Math.floor(random() * YEARS_MS));
  // Variants of so many photos would keep the worker busy for hours.
  const noJobs = { ...jobs, enqueue: () => Promise.resolve() };
  const memory = await createMemory({ config, jobs: noJobs, clock: { now: () => createdAt } }, tx, {
    ...photo,
    isSilent: true,
    isDuplicateAllowed: true,
    ...seedCaptionAndTags(random, number),
    ownerId,
    petId: petIds[Math.floor(random() * petIds.length * 1.2)],
    source: 'web',
    timeZone: 'UTC',
    memoryDate: random() < 0.8 ? toCalendarDay(createdAt, 'UTC') : null,
  });
  if (random() < 0.15) await updateMemory(tx, ownerId, memory.id, { isLiked: true });
}
