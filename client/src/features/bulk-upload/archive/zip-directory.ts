/* The records at the end of a zip, by the numbers of APPNOTE.TXT 4.3.14 to 4.3.16. */

const END_RECORD = 0x06054b50;
const END_RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END_RECORD = 0x06064b50;
const ZIP64_END_RECORD_BYTES = 56;

interface DirectorySize {
  entries: number;
  bytes: number;
}

/** The number and size of a zip's entries, read from its end record before the entries themselves. Zeros if it is no zip. */
export async function readDirectorySize(zip: Blob): Promise<DirectorySize> {
  const start = Math.max(0, zip.size - MAX_COMMENT_BYTES - END_RECORD_BYTES - ZIP64_LOCATOR_BYTES);
  const end = await viewOf(zip, start, zip.size);
  for (let at = end.byteLength - END_RECORD_BYTES; at >= 0; at--) {
    if (end.getUint32(at, true) !== END_RECORD) continue;
    const zip64 = await readZip64(zip, end, at - ZIP64_LOCATOR_BYTES);
    return zip64 ?? { entries: end.getUint16(at + 10, true), bytes: end.getUint32(at + 12, true) };
  }
  return { entries: 0, bytes: 0 };
}

async function readZip64(zip: Blob, end: DataView, at: number): Promise<DirectorySize | null> {
  if (at < 0 || end.getUint32(at, true) !== ZIP64_LOCATOR) return null;
  const offset = Number(end.getBigUint64(at + 8, true));
  const record = await viewOf(zip, offset, offset + ZIP64_END_RECORD_BYTES);
  if (record.byteLength < ZIP64_END_RECORD_BYTES || record.getUint32(0, true) !== ZIP64_END_RECORD)
    return null;
  return { entries: Number(record.getBigUint64(32, true)), bytes: Number(record.getBigUint64(40, true)) };
}

async function viewOf(zip: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await zip.slice(start, end).arrayBuffer());
}
