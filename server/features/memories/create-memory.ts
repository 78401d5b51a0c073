import { calendarDayOf, splitMemoryDate } from '#shared/calendar-date';
import type { MemorySource } from '#shared/memory';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decode-image.ts';
import { createDeliveries } from '../deliveries/create-deliveries.ts';
import { createImage } from '../images/image-queries.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { getOwnPet } from '../pets/get-pet.ts';
import { insertMemory, type MemoryRow } from './memory-queries.ts';
import { addMemoryWords } from './memory-search-terms.ts';

/** A photo that is stored and understood, and what its owner said about it. */
export type NewMemoryStory = {
  ownerId: string;
  source: MemorySource;
  /** The owner's, an IANA name: the day on which it is added is a day there. */
  timeZone: string;
  image: InspectedImage;
  objectKey: string;
  caption?: string | null | undefined;
  tags?: string[] | null | undefined;
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`, without a zone; when empty, the camera's own date counts. */
  memoryDate?: string | null | undefined;
  petId?: string | null | undefined;
  /** No contact is told of it: the album is being filled, not lived in. */
  isSilent?: boolean;
};

/**
 * The one way in which a memory comes to be, wherever its photo came from: the memory, the words it is found by, what
 * its owner's contacts are owed and the jobs that carry out what follows, all in the caller's transaction, along with the caller's own note that this photo is done.
 *
 * @throws NotFoundError when the pet is not there or not this owner's
 */
export async function createMemory(
  context: Pick<AppContext, 'config' | 'jobs' | 'clock'>,
  tx: Tx,
  story: NewMemoryStory,
): Promise<MemoryRow> {
  const { ownerId, objectKey } = story;
  const createdAt = context.clock.now();
  const pet = await getOwnPet(tx, ownerId, story.petId);
  const image = await createImage(tx, { ...story.image, ownerId, objectKey, createdAt });
  const { day, time } = splitMemoryDate(story.memoryDate || story.image.takenAt || '');
  const memory = await insertMemory(tx, {
    ownerId,
    petId: pet?.id ?? null,
    imageId: image.id,
    caption: story.caption?.trim() || null,
    tags: story.tags ?? [],
    memoryDay: day || null,
    memoryTime: time,
    source: story.source,
    createdAt,
    addedDay: calendarDayOf(createdAt, story.timeZone),
  });
  await addMemoryWords(tx, memory, pet?.name);
  await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId: image.id });
  if (!story.isSilent) await createDeliveries(context, tx, memory);
  const { width, height, placeholder } = image;
  return { ...memory, width, height, placeholder };
}
