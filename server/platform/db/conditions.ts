import { and, eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';

type OwnedTable = { id: AnyColumn; ownerId: AnyColumn };

export function ownedBy(table: OwnedTable, ownerId: string, id: string): SQL | undefined {
  return and(eq(table.id, id), eq(table.ownerId, ownerId));
}

/** Selects the rows after `cursor` in a list ordered by createdAt and id, newest first. */
export function isOlder(
  table: { createdAt: AnyColumn; id: AnyColumn },
  cursor: { createdAt: Date; id: string },
): SQL {
  return sql`(${table.createdAt}, ${table.id}) < (${cursor.createdAt.toISOString()}::timestamptz, ${cursor.id}::uuid)`;
}
