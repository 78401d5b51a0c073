import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Comes after this one in a list that has the newest first, and of one moment those of the later ids. */
export function isOlder(
  table: { createdAt: AnyColumn; id: AnyColumn },
  than: { createdAt: Date; id: string },
): SQL {
  return sql`(${table.createdAt}, ${table.id}) < (${than.createdAt.toISOString()}::timestamptz, ${than.id}::uuid)`;
}
