import { toCalendarDay, splitMemoryDate } from '#shared/dates/calendar-date';
import type { DateSource, SidecarDate } from '#shared/dates/date-source';
import { chooseMemoryDate } from '#shared/dates/memory-date';
import type { MemorySource } from '#shared/album/memory';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createDeliveries } from '../deliveries/create-deliveries.ts';
import { createImage, type NewImage } from '../images/image-queries.ts';
import { createVariantsJob } from '../images/create-variants-job.ts';
import { getPet } from '../pets/pet-queries.ts';
import { lockMemoryOfPhoto } from './memory-photo-queries.ts';
import { insertMemory, type MemoryRow } from './memory-queries.ts';
import { addSearchTerms } from '../search/search-term-queries.ts';

/** `chooseMemoryDate` chooses among these and the photo's EXIF date. */
export type DateDetails = {
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`, without a zone. */
  memoryDate?: string | null | undefined;
  isUndated?: boolean | undefined;
  exifDate?: string | null | undefined;
  sidecarDate?: SidecarDate | null | undefined;
  fileName?: string | null | undefined;
  /** With it, `memoryDate` is the date, also if that is null. */
  imported?: Pick<MemoryRow, 'dateSource'>;
};

export type NewMemory = DateDetails & {
  ownerId: string;
  source: MemorySource;
  /** The owner's, an IANA name; it decides the day on which the memory counts as added. */
  timeZone: string;
  image: NewImage;
  /** A new id by default. */
  imageId?: string;
  objectKey: string;
  caption?: string | null | undefined;
  tags?: string[] | null | undefined;
  petId?: string | null | undefined;
  isLiked?: boolean | undefined;
  /** Its end creates the deliveries to contacts. */
  batchId?: string | null | undefined;
  /** Skips the deliveries to contacts, for demo and seed data. */
  isSilent?: boolean;
  /** Of an imported memory: what it had in the album that it comes from. */
  imported?: Pick<MemoryRow, 'id' | 'createdAt' | 'addedDay' | 'deletedAt' | 'dismissedAt' | 'dateSource'>;
  /** Creates the memory even if the album has this photo: exports and demos can contain duplicates. */
  isDuplicateAllowed?: boolean;
};

/** Null if nothing tells the date. */
export function chooseDate(
  { takenAt }: Pick<InspectedImage, 'takenAt'>,
  { memoryDate, isUndated, exifDate, sidecarDate, fileName, imported }: DateDetails,
): { date: string; source: DateSource | null } | null {
  if (imported) return memoryDate ? { date: memoryDate, source: imported.dateSource } : null;
  return chooseMemoryDate({
    person: memoryDate,
    isUndated,
    exif: takenAt ?? exifDate,
    sidecar: sidecarDate,
    fileName,
  });
}

/** In the caller's transaction, after `reuseMemory` found no memory of this photo. Every source goes through here. */
export async function createMemory(
  context: Pick<AppContext, 'config' | 'jobs' | 'clock'>,
  tx: Tx,
  values: NewMemory,
): Promise<MemoryRow> {
  const { ownerId, imageId: id, objectKey, imported } = values;
  const createdAt = imported?.createdAt ?? context.clock.now();
  const pet = values.petId ? await getPet(tx, ownerId, values.petId, 'share') : null;
  const image = await createImage(tx, { ...values.image, ...(id && { id }), ownerId, objectKey, createdAt });
  const chosen = chooseDate(values.image, values);
  const { day, time } = splitMemoryDate(chosen?.date ?? '');
  const { sha256 } = values.image;
  const isDuplicate = values.isDuplicateAllowed && (await lockMemoryOfPhoto(tx, ownerId, sha256)) !== null;
  const memory = await insertMemory(tx, {
    ownerId,
    petId: pet?.id ?? null,
    imageId: image.id,
    imageSha256: isDuplicate ? null : sha256,
    caption: values.caption?.trim() || null,
    tags: values.tags ?? [],
    isLiked: values.isLiked ?? false,
    memoryDay: day || null,
    memoryTime: time,
    dateSource: chosen?.source ?? null,
    source: values.source,
    batchId: values.batchId ?? null,
    createdAt,
    addedDay: toCalendarDay(createdAt, values.timeZone),
    ...imported,
  });
  await addSearchTerms(tx, memory, pet?.name);
  await context.jobs.enqueue(tx, createVariantsJob, { ownerId, imageId: image.id });
  if (!values.isSilent && !values.batchId) await createDeliveries(context, tx, memory);
  const { width, height, isAnimated, placeholder } = image;
  return { ...memory, width, height, isAnimated, placeholder };
}
