import { randomUUID } from 'node:crypto';
import { calendarDayOf } from '#shared/calendar-date';
import type { AppContext } from '../platform/context.ts';
import type { Tx } from '../platform/db/database.ts';
import type { InspectedImage } from '../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createMemory } from '../features/memories/create-memory.ts';
import { updateMemory } from '../features/memories/memory-queries.ts';
import { insertPet, listPets } from '../features/pets/pet-queries.ts';
import { checkStorageLimit, lockStorage } from '../features/uploads/storage-limit.ts';
import { isPasswordRight } from '../features/users/password.ts';
import { registerUser } from '../features/users/register-user.ts';
import { findUserByEmail, lockUser, type UserRow } from '../features/users/user-queries.ts';
import { DEMO_STORIES } from './demo-stories.ts';
import { drawPicture } from './drawing/draw-picture.ts';
import { seededRandom } from './drawing/random.ts';
import type { SeedOptions } from './seed-options.ts';
import { countMemoriesOf } from './seed-queries.ts';
import { makeUpPet, makeUpStory } from './seed-words.ts';

/** Of an account that is made for it. */
export const SEED_PASSWORD = 'ten thousand paws';

type Context = Pick<AppContext, 'mailer' | 'config' | 'db' | 'clock' | 'storage' | 'imageDecoder' | 'jobs'>;
type Photo = { bytes: Buffer; image: InspectedImage };
type Seeding = { ownerId: string; petIds: string[]; photos: Photo[] };

const BATCH = 100;
/** About the width of a tile: some 20 KB each. */
const PHOTO_SCALE = 0.28;
const YEARS_MS = 8 * 365 * 24 * 60 * 60 * 1000;

/**
 * Fills an account up to so many memories and pets, and takes nothing away: ended in the middle, the next call goes on.
 * Each memory has a photo of its own, a copy of one of a few. Their widths are made when somebody looks.
 */
export async function seedAccount(
  context: Context,
  { email, memories, pets }: SeedOptions,
  {
    report = () => {},
    isEnded = () => false,
  }: { report?: (line: string) => void; isEnded?: () => boolean } = {},
): Promise<{ user: UserRow; added: number; password: string | null }> {
  const user =
    (await findUserByEmail(context.db, email)) ??
    (await registerUser(context, { email, username: email.slice(0, 50), password: SEED_PASSWORD }));
  const seeding = {
    ownerId: user.id,
    petIds: await fillPets(context, user.id, pets),
    photos: await drawPhotos(context),
  };
  let added = 0;
  while (!isEnded()) {
    const batch = await addBatch(context, seeding, memories);
    if (batch === 0) break;
    added += batch;
    if (added % 1000 === 0) report(`${added} memories added`);
  }
  const isOurs = await isPasswordRight(user.passwordHash, SEED_PASSWORD);
  return { user, added, password: isOurs ? SEED_PASSWORD : null };
}

function fillPets({ db, clock }: Context, ownerId: string, wanted: number): Promise<string[]> {
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const ids = (await listPets(db, ownerId)).map(({ id }) => id);
    for (let number = ids.length; number < wanted; number++) {
      const pet = await insertPet(tx, { ...makeUpPet(number), ownerId, createdAt: clock.now() });
      ids.push(pet.id);
    }
    return ids;
  });
}

let drawn: Promise<Buffer[]> | undefined;

/** Every fifth of the demo's: a dozen scenes, in all shapes. */
async function drawPhotos({ imageDecoder }: Context): Promise<Photo[]> {
  const pictures = DEMO_STORIES.map(({ picture }, index) => ({ ...picture, seed: index + 1 }));
  const chosen = pictures.filter((_, index) => index % 5 === 0);
  drawn ??= Promise.all(chosen.map((picture) => drawPicture(picture, PHOTO_SCALE)));
  return Promise.all(
    (await drawn).map(async (bytes) => ({ bytes, image: await imageDecoder.inspect(bytes) })),
  );
}

/** All of them or none. How many are missing is asked while nobody else may add to the account. */
function addBatch(context: Context, seeding: Seeding, wanted: number): Promise<number> {
  const { ownerId, photos } = seeding;
  return context.db.transaction(async (tx) => {
    await lockStorage(tx, ownerId);
    const first = await countMemoriesOf(tx, ownerId);
    const numbers = Array.from(
      { length: Math.max(0, Math.min(BATCH, wanted - first)) },
      (_, index) => first + index,
    );
    const chosen = numbers.map((number) => ({
      number,
      photo: photos[number % photos.length] as Photo,
      objectKey: `originals/${randomUUID()}`,
    }));
    const bytes = chosen.reduce((sum, { photo }) => sum + photo.bytes.length, 0);
    await checkStorageLimit(context.config, tx, ownerId, bytes);
    await Promise.all(
      chosen.map(({ photo, objectKey }) =>
        context.storage.write(objectKey, photo.bytes, photo.image.contentType),
      ),
    );
    for (const { number, photo, objectKey } of chosen) {
      await addMemory(context, tx, seeding, number, { image: photo.image, objectKey });
    }
    return chosen.length;
  });
}

async function addMemory(
  { config, clock, jobs }: Context,
  tx: Tx,
  { ownerId, petIds }: Seeding,
  number: number,
  photo: { image: InspectedImage; objectKey: string },
): Promise<void> {
  const random = seededRandom(number);
  const createdAt = new Date(clock.now().getTime() - Math.floor(random() * YEARS_MS));
  // The widths of so many photos would keep the worker busy for hours.
  const noJobs = { ...jobs, enqueue: () => Promise.resolve() };
  const memory = await createMemory({ config, jobs: noJobs, clock: { now: () => createdAt } }, tx, {
    ...photo,
    isSilent: true,
    ...makeUpStory(random, number),
    ownerId,
    petId: petIds[Math.floor(random() * petIds.length * 1.2)],
    source: 'web',
    timeZone: 'UTC',
    memoryDate: random() < 0.8 ? calendarDayOf(createdAt, 'UTC') : null,
  });
  if (random() < 0.15) await updateMemory(tx, ownerId, memory.id, { isLiked: true });
}
