import { latin1, viewOf } from '../photos/bytes.ts';
import { readPhotoMetadata } from '../photos/photo-metadata.ts';
import type { MemoryDate } from './calendar-date.ts';
import { parseExifDate } from './exif-date.ts';

/** The dates of one kind of metadata, as written there; perhaps unreadable. */
interface DateTexts {
  original: string[];
  digitized: string[];
}

/**
 * When a photo was taken, else when it was scanned: by EXIF, then XMP, then IPTC. Programs set the other dates, like EXIF's
 * DateTime and XMP's ModifyDate, when they save the file.
 */
export function readCaptureDate(bytes: Uint8Array): MemoryDate | null {
  const { exif, xmp, iptc } = readPhotoMetadata(bytes);
  const found = [...exif.map(readExif), ...xmp.map(readXmp), ...iptc.map(readIptc)];
  const texts = [
    ...found.flatMap(({ original }) => original),
    ...found.flatMap(({ digitized }) => digitized),
  ];
  for (const text of texts) {
    const date = parseExifDate(text);
    if (date !== null) return date;
  }
  return null;
}

const [EXIF_IFD, DATE_TIME_ORIGINAL, DATE_TIME_DIGITIZED] = [0x8769, 0x9003, 0x9004];

function readExif(tiff: Uint8Array): DateTexts {
  const isLittleEndian = tiff[0] === 0x49;
  const texts: DateTexts = { original: [], digitized: [] };
  const first = readDirectory(tiff, 4, isLittleEndian);
  const pointer = first.get(EXIF_IFD);
  // Some programs write the dates into the first directory.
  for (const tags of [pointer === undefined ? null : readDirectory(tiff, pointer, isLittleEndian), first]) {
    const [original, digitized] = [tags?.get(DATE_TIME_ORIGINAL), tags?.get(DATE_TIME_DIGITIZED)];
    if (original !== undefined) texts.original.push(readText(tiff, original, isLittleEndian));
    if (digitized !== undefined) texts.digitized.push(readText(tiff, digitized, isLittleEndian));
  }
  return texts;
}

/**
 * Of the directory whose offset stands at `pointer`.
 * @returns where the value of each tag stands, or its offset
 */
function readDirectory(tiff: Uint8Array, pointer: number, isLittleEndian: boolean): Map<number, number> {
  const tags = new Map<number, number>();
  const view = viewOf(tiff);
  try {
    const start = view.getUint32(pointer, isLittleEndian);
    const count = view.getUint16(start, isLittleEndian);
    for (let entry = start + 2; entry < start + 2 + count * 12; entry += 12)
      tags.set(view.getUint16(entry, isLittleEndian), entry + 8);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return tags;
}

/** Of the entry whose value stands at `valueAt`. */
function readText(tiff: Uint8Array, valueAt: number, isLittleEndian: boolean): string {
  const view = viewOf(tiff);
  try {
    const count = view.getUint32(valueAt - 4, isLittleEndian);
    const start = count > 4 ? view.getUint32(valueAt, isLittleEndian) : valueAt;
    // The end of a cut text may make another day of it. Its last byte is a zero that some programs forget.
    if (start + count - 1 > tiff.length) return '';
    return toText(tiff.subarray(start, start + Math.min(count, MAX_TEXT_BYTES)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return '';
  }
}

const MAX_TEXT_BYTES = 100;

/** EXIF is ASCII, yet phones set to other languages write their digits in UTF-8. */
function toText(bytes: Uint8Array): string {
  const [text = ''] = latin1(bytes).split('\0');
  try {
    return decodeURIComponent(
      text.replace(/[^]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
    );
  } catch {
    return text;
  }
}

/** Each as an attribute or as an element. CreateDate is what XMP calls the digitized date, DateCreated the original. */
const XMP_PROPERTY =
  /\b(?:exif|photoshop|xmp|xap):(DateTimeOriginal|DateCreated|DateTimeDigitized|CreateDate)\s*(?:=\s*["']|>)\s*([^"'<]{1,100})["'<]/g;

function readXmp(packet: Uint8Array): DateTexts {
  const texts: DateTexts = { original: [], digitized: [] };
  for (const [, name = '', value = ''] of latin1(packet).matchAll(XMP_PROPERTY))
    texts[/Original|DateCreated/.test(name) ? 'original' : 'digitized'].push(value);
  return texts;
}

const IPTC = { marker: 0x1c, application: 2, created: [55, 60], digitized: [62, 63] } as const;

/** Data sets: marker, record, number, size, text. Dates are `20240301`, times `083059+0200`. */
function readIptc(block: Uint8Array): DateTexts {
  const sets = new Map<number, string>();
  const view = viewOf(block);
  for (let offset = 0; offset + 5 <= block.length && block[offset] === IPTC.marker;) {
    const size = view.getUint16(offset + 3);
    const end = offset + 5 + size;
    const text = latin1(block, offset + 5, Math.min(end, block.length));
    if (block[offset + 1] === IPTC.application && end <= block.length) sets.set(block[offset + 2] ?? 0, text);
    // Sets of 32 KB and more have another form of size: none of ours is behind one.
    offset = end;
  }
  const dateAndTime = ([date, time]: readonly [number, number]) =>
    sets.has(date) ? [`${sets.get(date)} ${sets.get(time) ?? ''}`] : [];
  return { original: dateAndTime(IPTC.created), digitized: dateAndTime(IPTC.digitized) };
}
