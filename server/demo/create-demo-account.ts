import { readdir } from 'node:fs/promises';
import { joinMemoryDate, toCalendarDay, type CalendarDate } from '#shared/dates/calendar-date';
import { hashPassword } from '../features/accounts/users/passwords/password.ts';
import { createUser, findUserByEmail, updateUser } from '../features/accounts/users/user-queries.ts';
import { createVariantsJob } from '../features/images/create-variants-job.ts';
import { createImage } from '../features/images/image-queries.ts';
import { createMemory } from '../features/memories/create-memory.ts';
import { updateMemory } from '../features/memories/memory-queries.ts';
import { insertPet } from '../features/pets/pet-queries.ts';
import type { AppContext } from '../platform/context.ts';
import type { Tx } from '../platform/db/database.ts';
import { inspectImage } from '../platform/image-decoder/decoder-process/decode-image.ts';
import type { InspectedImage } from '../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { resolveDemoDate, type DemoDate } from './demo-dates.ts';
import { DEMO_MEMORIES, type DemoMemory } from './demo-memories.ts';
import { DEMO_PETS, type DemoPet, type DemoPetName } from './demo-pets.ts';
import { DEMO_PHOTOS_DIR, readDemoPhoto } from './demo-photos.ts';

export const DEMO_ACCOUNT = { email: 'demo@mems.example', password: 'paws and tails' };

type StoredPhoto = { image: InspectedImage; objectKey: string };
type Owner = { ownerId: string; today: CalendarDate };

/** Stores the photos under fixed keys, then writes all rows in one transaction: a restart after a crash adds no copies. */
export async function createDemoAccount(context: AppContext): Promise<void> {
  const existing = await findUserByEmail(context.db, DEMO_ACCOUNT.email);
  if (existing) return void (await updateUser(context.db, existing.id, { isAdmin: isDemoAdmin(context) }));
  const photos = new Map<string, StoredPhoto>();
  for (const file of await readdir(DEMO_PHOTOS_DIR)) photos.set(file, await storePhoto(context, file));
  const passwordHash = await hashPassword(context, DEMO_ACCOUNT.password);
  await context.db.transaction(async (tx) => {
    const user = { username: 'demo', firstName: 'Robin', lastName: 'Hart' };
    const { email } = DEMO_ACCOUNT;
    const isAdmin = isDemoAdmin(context);
    const { id: ownerId } = await createUser(tx, { ...user, email, passwordHash, isAdmin });
    const owner = { ownerId, today: toCalendarDay(context.clock.now(), 'UTC') };
    const petIds = new Map<DemoPetName, string>();
    for (const pet of DEMO_PETS) {
      const portrait = photos.get(pet.portrait ?? '');
      petIds.set(pet.name, await addPet(context, tx, owner, pet, portrait));
    }
    for (const memory of DEMO_MEMORIES) {
      const photo = photos.get(memory.photo);
      if (photo) await addMemory(context, tx, owner, memory, photo, memory.pet && petIds.get(memory.pet));
    }
  });
}

/** Everybody knows its password: an administrator only where nobody else can sign in, as far as the settings tell. */
function isDemoAdmin({ config }: Pick<AppContext, 'config'>): boolean {
  const { isOnlyLocal, trustProxy, allowedHosts } = config.http;
  return isOnlyLocal && trustProxy === false && allowedHosts.length === 0;
}

async function storePhoto({ storage }: AppContext, file: string): Promise<StoredPhoto> {
  const bytes = await readDemoPhoto(file);
  const { image } = await inspectImage(bytes);
  const objectKey = `originals/demo-${file}`;
  await storage.write(objectKey, bytes, image.contentType);
  return { image, objectKey };
}

async function addPet(
  { jobs }: AppContext,
  tx: Tx,
  { ownerId, today }: Owner,
  { portrait: _, birthday, joined, ...pet }: DemoPet,
  photo: StoredPhoto | undefined,
): Promise<string> {
  const createdAt = eveningOf(joined, today);
  const image =
    photo && (await createImage(tx, { ...photo.image, ownerId, objectKey: photo.objectKey, createdAt }));
  if (image) await jobs.enqueue(tx, createVariantsJob, { ownerId, imageId: image.id });
  const birthdayOrGotchaDay = birthday && resolveDemoDate(birthday, today);
  const profileImageId = image?.id ?? null;
  const { id } = await insertPet(tx, { ...pet, ownerId, birthdayOrGotchaDay, profileImageId, createdAt });
  return id;
}

async function addMemory(
  { config, jobs }: AppContext,
  tx: Tx,
  { ownerId, today }: Owner,
  { takenOn, time, addedOn = takenOn, caption, tags, isLiked, isUndated }: DemoMemory,
  photo: StoredPhoto,
  petId: string | undefined,
): Promise<void> {
  const day = resolveDemoDate(takenOn, today);
  const createdAt = eveningOf(addedOn, today);
  const memory = await createMemory({ config, jobs, clock: { now: () => createdAt } }, tx, {
    ...photo,
    isSilent: true,
    isDuplicateAllowed: true,
    ownerId,
    petId,
    caption,
    tags,
    source: 'web',
    timeZone: 'UTC',
    memoryDate: isUndated ? null : joinMemoryDate(day, time),
  });
  if (isLiked) await updateMemory(tx, ownerId, memory.id, { isLiked });
}

function eveningOf(date: DemoDate, today: CalendarDate): Date {
  return new Date(`${resolveDemoDate(date, today)}T20:15:00Z`);
}
