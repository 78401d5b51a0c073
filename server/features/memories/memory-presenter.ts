import type { Memory } from '#shared/album/memory';
import { joinMemoryDate } from '#shared/dates/calendar-date';
import type { MemoryRow } from './memory-queries.ts';

export function presentMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    petId: row.petId,
    imageUrl: `/objects/${row.imageId}`,
    caption: row.caption,
    tags: row.tags,
    isLiked: row.isLiked,
    memoryDate: presentMemoryDate(row.memoryDay, row.memoryTime),
    dateSource: row.dateSource,
    createdAt: row.createdAt.toISOString(),
    source: row.source,
    width: row.width,
    height: row.height,
    isAnimated: row.isAnimated,
    placeholder: row.placeholder,
  };
}

/** Postgres formats a time as `HH:mm:ss`; a memory date has no seconds. */
export function presentMemoryDate(day: string | null, time: string | null): string | null {
  return day && joinMemoryDate(day, time?.slice(0, 5));
}
