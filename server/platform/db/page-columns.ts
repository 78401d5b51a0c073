import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { MAX_PAGE_BYTES } from '../pagination.ts';

/** For each row of a subquery, its number and the size of the texts before it, by which `fitsOnPage` cuts the page. */
export function pageColumns(textBytes: SQL, ordering: SQL) {
  // Up to the row before, as Postgres would read one more for the current row.
  const window = sql`(order by ${ordering} rows between unbounded preceding and 1 preceding)`;
  return {
    nth: sql<number>`row_number() over ${window}`.mapWith(Number).as('nth'),
    textBytes: sql<number>`${textBytes}`.as('text_bytes'),
    /** Of the rows before it. */
    bytesBefore: sql<number>`coalesce(sum(${textBytes}) over ${window}, 0)`.as('bytes_before'),
  };
}

/** Counts all rows of the subquery: use it only where they are few. */
export const foundRows = sql<number>`count(*) over ()`.mapWith(Number).as('found_rows');

/** At least the first row. */
export function fitsOnPage({ bytesBefore }: { bytesBefore: SQLWrapper }): SQL {
  return sql`${bytesBefore} < ${sql.raw(String(MAX_PAGE_BYTES))}`;
}
