/**
 * One after another, in the order of their ids, as long as `list` finds more after the last one. For jobs over a whole table.
 * @throws when the process stops
 */
export async function forEachRow<Row extends { id: string }>(
  list: (afterId: string | null) => Promise<Row[]>,
  stopping: AbortSignal | undefined,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  let afterId: string | null = null;
  for (;;) {
    const rows: Row[] = await list(afterId);
    if (rows.length === 0) return;
    for (const row of rows) {
      stopping?.throwIfAborted();
      await work(row);
      afterId = row.id;
    }
  }
}
