import { toCalendarDay, splitMemoryDate } from '#shared/calendar-date';
import type { MemorySource } from '#shared/memory';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createDeliveries } from '../deliveries/create-deliveries.ts';
import { createImage } from '../images/image-queries.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { getPet } from '../pets/pet-queries.ts';
import { insertMemory, type MemoryRow } from './memory-queries.ts';
import { addSearchTerms } from './memory-search-queries.ts';

export type NewMemory = {
  ownerId: string;
  source: MemorySource;
  /** The owner's, an IANA name; it decides the day on which the memory counts as added. */
  timeZone: string;
  image: InspectedImage;
  /** A new id by default. */
  imageId?: string;
  objectKey: string;
  caption?: string | null | undefined;
  tags?: string[] | null | undefined;
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`, without a zone; defaults to the photo's capture date. */
  memoryDate?: string | null | undefined;
  petId?: string | null | undefined;
  /** Skips the deliveries to contacts, for demo and seed data. */
  isSilent?: boolean;
};

/** In the caller's transaction. Every source (web, SMS, email, caricature) goes through here. */
export async function createMemory(
  context: Pick<AppContext, 'config' | 'jobs' | 'clock'>,
  tx: Tx,
  values: NewMemory,
): Promise<MemoryRow> {
  const { ownerId, imageId: id, objectKey } = values;
  const createdAt = context.clock.now();
  const pet = values.petId ? await getPet(tx, ownerId, values.petId, 'share') : null;
  const image = await createImage(tx, { ...values.image, ...(id && { id }), ownerId, objectKey, createdAt });
  const { day, time } = splitMemoryDate(values.memoryDate || values.image.takenAt || '');
  const memory = await insertMemory(tx, {
    ownerId,
    petId: pet?.id ?? null,
    imageId: image.id,
    caption: values.caption?.trim() || null,
    tags: values.tags ?? [],
    memoryDay: day || null,
    memoryTime: time,
    source: values.source,
    createdAt,
    addedDay: toCalendarDay(createdAt, values.timeZone),
  });
  await addSearchTerms(tx, memory, pet?.name);
  await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId: image.id });
  if (!values.isSilent) await createDeliveries(context, tx, memory);
  const { width, height, placeholder } = image;
  return { ...memory, width, height, placeholder };
}
