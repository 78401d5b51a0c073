import type { Memory } from '#shared/album/memory';
import { jsonResponse, type BaselineResponse } from './baseline-context.ts';

/** The columns of a response; `m` is the memory, `i` its image. */
export const MEMORY_COLUMNS = `
  m.id, m.pet_id, m.image_id, m.caption, m.tags, m.is_liked, m.memory_day::text, m.memory_time::text, m.date_source, m.source,
  m.created_at, i.width, i.height, i.is_animated, i.placeholder`;

export const MEMORIES = `
  select ${MEMORY_COLUMNS} from memories m join images i on i.id = m.image_id
  where m.owner_id = $1 and m.deleted_at is null`;

export const NEWEST_FIRST = 'order by m.created_at desc, m.id desc';

export type MemoryRow = {
  id: string;
  pet_id: string | null;
  image_id: string;
  caption: string | null;
  tags: string[];
  is_liked: boolean;
  memory_day: string | null;
  memory_time: string | null;
  date_source: Memory['dateSource'];
  source: Memory['source'];
  created_at: Date;
  width: number;
  height: number;
  is_animated: boolean;
  placeholder: string;
};

export function toMemory(row: MemoryRow): Memory {
  const { memory_day: day, memory_time: time } = row;
  return {
    id: row.id,
    petId: row.pet_id,
    imageUrl: `/objects/${row.image_id}`,
    caption: row.caption,
    tags: row.tags,
    isLiked: row.is_liked,
    memoryDate: day && time ? `${day}T${time.slice(0, 5)}` : day,
    dateSource: row.date_source,
    createdAt: row.created_at.toISOString(),
    source: row.source,
    width: row.width,
    height: row.height,
    isAnimated: row.is_animated,
    placeholder: row.placeholder,
  };
}

/** `rows` has one row more than the page if there is another page. */
export function pageResponse(rows: MemoryRow[], limit: number): BaselineResponse {
  return jsonResponse(rows.slice(0, limit).map(toMemory));
}
