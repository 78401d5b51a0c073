import { v7 as uuidv7 } from 'uuid';
import { toCalendarDay } from '#shared/dates/calendar-date';
import { seededRandom } from '../../server/platform/seeded-random.ts';
import { seedCaptionAndTags } from '../../server/demo/seed-content.ts';
import { toSearchTerms, toPetNameTerms } from '../../server/features/search/search-terms.ts';
import { COMMON_WORD } from './bench-data.ts';
import type { Photo } from './demo-photos.ts';

/** Of each user but the one with few. */
const MEMORIES_PER_OWNER = 10_000;
/** The memories of the user with few. */
const FEW = 100;
/** Between two memories of one user. */
const STEP_MS = 400 * 60_000;

export type Owner = { id: string; pets: { id: string; name: string }[] };

/** The rows of a memory: image and search terms included. */
export type SeededMemory = ReturnType<typeof generateMemory>;

/** Without the user with few. */
export function countOwners(rows: number): number {
  return rows / MEMORIES_PER_OWNER;
}

/**
 * The owner of memory `number`. Owners alternate, so their rows are mixed on disk as after years of use. The last of `owners`
 * has few: some of the newest memories of the one before.
 */
function ownerOf(number: number, owners: Owner[]): Owner {
  const many = owners.length - 1;
  const turn = number % many;
  const isFew = turn === many - 1 && Math.floor(number / many) >= MEMORIES_PER_OWNER - FEW;
  return owners[isFew ? many : turn] as Owner;
}

/** Captions, tags and dates of `npm run seed`. Every second caption has COMMON_WORD, each number is in one caption. */
export function generateMemory(number: number, owners: Owner[], photos: Photo[], now: Date) {
  const random = seededRandom(number);
  const owner = ownerOf(number, owners);
  const ownersWithMany = owners.length - 1;
  const nth = Math.floor(number / ownersWithMany);
  const content = seedCaptionAndTags(random, 1);
  const weather = nth % 2 === 0 ? COMMON_WORD : 'cloudy';
  const caption = `${content.caption ?? 'A day'}, ${weather}, no${String(nth).padStart(5, '0')}`;
  const createdAt = new Date(now.getTime() - (MEMORIES_PER_OWNER - number / ownersWithMany) * STEP_MS);
  const pet = random() < 0.8 ? owner.pets[Math.floor(random() * owner.pets.length)] : undefined;
  const { image } = photos[number % photos.length] as Photo;
  const imageId = uuidv7({ msecs: createdAt.getTime() });
  return {
    ...image,
    id: uuidv7({ msecs: createdAt.getTime() }),
    imageId,
    objectKey: `originals/${imageId}`,
    ownerId: owner.id,
    petId: pet?.id ?? null,
    caption,
    tags: content.tags,
    isLiked: random() < 0.15,
    memoryDay: random() < 0.8 ? toCalendarDay(createdAt, 'UTC') : null,
    addedDay: createdAt.toISOString().slice(0, 10),
    createdAt,
    ownTerms: toSearchTerms([caption, ...content.tags].join('\n')),
    petTerms: pet ? toPetNameTerms(pet.name) : [],
  };
}
