interface Grid {
  count: number;
  columns: number;
  rowsInSight: number;
}

/** Where a key leads in a grid that is read row by row; null for keys that lead nowhere. */
export function placeAfterKey(
  key: string,
  place: number,
  { count, columns, rowsInSight }: Grid,
): number | null {
  const next = {
    ArrowRight: place + 1,
    ArrowLeft: place - 1,
    ArrowDown: place + columns,
    ArrowUp: place - columns,
    PageDown: place + columns * rowsInSight,
    PageUp: place - columns * rowsInSight,
    Home: 0,
    End: count - 1,
  }[key];
  if (next === undefined) return null;
  if (key.startsWith('Arrow') && (next < 0 || next >= count)) return place;
  return Math.min(Math.max(0, next), count - 1);
}
