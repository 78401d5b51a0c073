import { sql, type SQLWrapper } from 'drizzle-orm';
import type { Memory } from '#shared/memory';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';

/**
 * What `presentMemory` answers, in the words of SQL: Postgres writes a list of thousands as fast as it would send the
 * rows, and the server need not take them apart. A test holds the two together.
 */
const fields: Record<keyof Memory, SQLWrapper> = {
  id: memories.id,
  petId: memories.petId,
  imageUrl: sql`'/objects/' || ${memories.imageId}`,
  caption: memories.caption,
  tags: memories.tags,
  isLiked: memories.isLiked,
  memoryDate: sql`${memories.memoryDay} || coalesce('T' || left(${memories.memoryTime}::text, 5), '')`,
  createdAt: sql`to_char(${memories.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  source: memories.source,
  width: images.width,
  height: images.height,
  placeholder: images.placeholder,
};

const named = Object.entries(fields).map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);

/** To be joined laterally to memories and their images. */
export const presented = sql`(select ${sql.join(named, sql`, `)}) as presented`;

/** The memory as JSON text. */
export const presentedJson = sql<string>`row_to_json(presented)::text`;
