import type { Memory } from '#shared/memory';
import { jsonAnswer, type FloorAnswer } from './floor-context.ts';

/** What an answer needs of a memory, in the words of SQL. `m` and `i` are the memory and its image. */
export const MEMORY_COLUMNS = `
  m.id, m.pet_id, m.image_id, m.caption, m.tags, m.is_liked, m.memory_day::text, m.memory_time::text, m.source,
  m.created_at, i.width, i.height, i.placeholder`;

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
  source: Memory['source'];
  created_at: Date;
  width: number;
  height: number;
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
    createdAt: row.created_at.toISOString(),
    source: row.source,
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
  };
}

/** A page was asked for with one row more, which would tell that there is another page. */
export function pageAnswer(rows: MemoryRow[], limit: number): FloorAnswer {
  return jsonAnswer(rows.slice(0, limit).map(toMemory));
}
