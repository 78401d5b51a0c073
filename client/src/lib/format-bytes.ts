const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Three digits at most, so that a full account is not shown as nearly full by its decimals. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  // 999.5 KB would be shown as 1000 KB.
  for (; amount >= 999.5 && unit < UNITS.length - 1; unit += 1) amount /= 1024;
  return `${Number(amount.toPrecision(3))} ${bytes === 1 ? 'byte' : UNITS[unit]}`;
}
