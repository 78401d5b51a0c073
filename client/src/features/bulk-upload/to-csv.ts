import { shownPath, type QueuedPhoto } from './queue/queued-photo.ts';

/** Of photos that were not added. With a mark that tells spreadsheets that it is UTF-8. */
export function toCsv(photos: readonly Pick<QueuedPhoto, 'path' | 'size' | 'reason'>[]): string {
  const rows = photos.map((photo) => [shownPath(photo), String(photo.size), photo.reason ?? '']);
  return `\uFEFF${[['File', 'Bytes', 'Reason'], ...rows].map(toRow).join('')}`;
}

function toRow(cells: string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** A file can be named like a formula, which a spreadsheet would run. */
function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
