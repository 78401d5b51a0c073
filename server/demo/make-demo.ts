import PQueue from 'p-queue';
import { calendarDayOf, type CalendarDate } from '#shared/calendar-date';
import type { AppContext } from '../platform/context.ts';
import type { Tx } from '../platform/db/database.ts';
import type { InspectedImage } from '../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createImage } from '../features/images/image-queries.ts';
import { createVariantsJob } from '../features/images/create-variants-job.ts';
import { createMemory } from '../features/memories/create-memory.ts';
import { updateMemory } from '../features/memories/memory-queries.ts';
import { insertPet } from '../features/pets/pet-queries.ts';
import { hashPassword } from '../features/users/password.ts';
import { createUser, findUserByEmail } from '../features/users/user-queries.ts';
import { dayOf, type When } from './demo-dates.ts';
import { DEMO_PETS, type DemoPet, type DemoPetName } from './demo-pets.ts';
import { DEMO_STORIES, type DemoStory } from './demo-stories.ts';
import { drawPicture, type Picture } from './drawing/draw-picture.ts';

export const DEMO_ACCOUNT = { email: 'demo@mems.example', password: 'paws and tails' };

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'storage' | 'imageDecoder' | 'clock'>;
/** A picture that is drawn and stored, and not yet anybody's. */
type Stored = { image: InspectedImage; objectKey: string };
type Diary = { ownerId: string; today: CalendarDate };

/**
 * Makes the demo's account, unless it is there. The pictures come first, under keys of their own; then the account and
 * all that is in it, at once: ended in the middle, the next start begins anew and leaves nothing twice.
 */
export async function makeDemo(
  context: Context,
  { scale = 1, report = () => {} }: { scale?: number; report?: (line: string) => void } = {},
): Promise<void> {
  if (await findUserByEmail(context.db, DEMO_ACCOUNT.email)) return;
  report('Drawing the pictures of the demo (once, about a minute)');
  // One is rasterized while another is painted.
  const queue = new PQueue({ concurrency: 2 });
  const draw = (name: string, picture: Picture) => queue.add(() => store(context, name, picture, scale));
  const [portraits, photos] = await Promise.all([
    Promise.all(
      DEMO_PETS.map(async ({ name, portrait }) => portrait && draw(`pet-${name.toLowerCase()}`, portrait)),
    ),
    Promise.all(
      DEMO_STORIES.map(({ picture }, index) => draw(`memory-${index + 1}`, { ...picture, seed: index + 1 })),
    ),
  ]);
  const passwordHash = await hashPassword(DEMO_ACCOUNT.password);
  await context.db.transaction(async (tx) => {
    const person = { username: 'demo', firstName: 'Robin', lastName: 'Hart' };
    const { id: ownerId } = await createUser(tx, { ...person, email: DEMO_ACCOUNT.email, passwordHash });
    const diary = { ownerId, today: calendarDayOf(context.clock.now(), 'UTC') };
    const petIds = new Map<DemoPetName, string>();
    for (const [index, pet] of DEMO_PETS.entries()) {
      petIds.set(pet.name, await addPet(context, tx, diary, pet, portraits[index]));
    }
    for (const [index, story] of DEMO_STORIES.entries()) {
      const photo = photos[index];
      if (photo) await addMemory(context, tx, diary, story, photo, story.pet && petIds.get(story.pet));
    }
  });
}

async function store(
  { storage, imageDecoder }: Context,
  name: string,
  picture: Picture,
  scale: number,
): Promise<Stored> {
  const bytes = await drawPicture(picture, scale);
  const image = await imageDecoder.inspect(bytes);
  const objectKey = `originals/demo-${name}`;
  await storage.write(objectKey, bytes, image.contentType);
  return { image, objectKey };
}

async function addPet(
  { jobs }: Context,
  tx: Tx,
  { ownerId, today }: Diary,
  { portrait: _, birthday, joined, ...pet }: DemoPet,
  stored: Stored | null | undefined,
): Promise<string> {
  const createdAt = eveningOf(joined, today);
  const picture =
    stored && (await createImage(tx, { ...stored.image, ownerId, objectKey: stored.objectKey, createdAt }));
  if (picture) await jobs.enqueue(tx, createVariantsJob, { ownerId, imageId: picture.id });
  const birthdayOrGotchaDay = birthday && dayOf(birthday, today);
  const profileImageId = picture?.id ?? null;
  const { id } = await insertPet(tx, { ...pet, ownerId, birthdayOrGotchaDay, profileImageId, createdAt });
  return id;
}

async function addMemory(
  { config, jobs }: Context,
  tx: Tx,
  { ownerId, today }: Diary,
  { when, time, addedOn = when, caption, tags, isLiked, isUndated }: DemoStory,
  photo: Stored,
  petId: string | undefined,
): Promise<void> {
  const day = dayOf(when, today);
  const createdAt = eveningOf(addedOn, today);
  const memory = await createMemory({ config, jobs, clock: { now: () => createdAt } }, tx, {
    ...photo,
    isSilent: true,
    ownerId,
    petId,
    caption,
    tags,
    source: 'web',
    timeZone: 'UTC',
    memoryDate: isUndated ? null : time ? `${day}T${time}` : day,
  });
  if (isLiked) await updateMemory(tx, ownerId, memory.id, { isLiked });
}

/** When people sit down with the photos of the day. */
function eveningOf(when: When, today: CalendarDate): Date {
  return new Date(`${dayOf(when, today)}T20:15:00Z`);
}
