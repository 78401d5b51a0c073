import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Whether a row comes after `than` in a list with the newest first; of one moment, with the latest id first. */
export function isOlder(
  table: { createdAt: AnyColumn; id: AnyColumn },
  than: { createdAt: Date; id: string },
): SQL {
  return sql`(${table.createdAt}, ${table.id}) < (${than.createdAt.toISOString()}::timestamptz, ${than.id}::uuid)`;
}
