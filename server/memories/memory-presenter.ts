import type { Memory } from '#shared/memory';
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
    createdAt: row.createdAt.toISOString(),
    source: row.source,
    width: row.image.width,
    height: row.image.height,
    placeholder: row.image.placeholder,
  };
}

/** Postgres writes a time as `HH:mm:ss`; a memory date has no seconds. */
function presentMemoryDate(day: string | null, time: string | null): string | null {
  return day && time ? `${day}T${time.slice(0, 5)}` : day;
}
