import { latin1, viewOf } from './bytes.ts';
import { contentOf, readBoxes, readMetaBoxes } from './heif-boxes.ts';

interface Item {
  type: string;
  contentType: string;
}

const XMP_CONTENT_TYPE = 'application/rdf+xml';

export function isHeif(bytes: Uint8Array): boolean {
  return latin1(bytes, 4, 8) === 'ftyp';
}

/** The metadata items of a HEIC or AVIF. @throws RangeError if it is damaged */
export function heifMetadata(bytes: Uint8Array): { exif: Uint8Array[]; xmp: Uint8Array[] } {
  const exif: Uint8Array[] = [];
  const xmp: Uint8Array[] = [];
  const meta = readMetaBoxes(bytes);
  const items = readItems(contentOf(meta, 'iinf'));
  const extents = readLocations(contentOf(meta, 'iloc'), bytes, contentOf(meta, 'idat'));
  for (const [id, { type, contentType }] of items) {
    const isXmp = type === 'mime' && contentType === XMP_CONTENT_TYPE;
    if (type === 'Exif') exif.push(join(extents.get(id) ?? [], bytes.length));
    else if (isXmp) xmp.push(join(extents.get(id) ?? [], bytes.length));
  }
  return { exif, xmp };
}

function readItems(iinf: Uint8Array): Map<number, Item> {
  const items = new Map<number, Item>();
  if (iinf.length === 0) return items;
  const countSize = iinf[0] === 0 ? 2 : 4;
  for (const { type, content } of readBoxes(iinf.subarray(4 + countSize))) {
    const version = content[0] ?? 0;
    if (type !== 'infe' || version < 2) continue;
    const view = viewOf(content);
    const id = version === 2 ? view.getUint16(4) : view.getUint32(4);
    const typeAt = version === 2 ? 8 : 10;
    const [, contentType = ''] = latin1(content, typeAt + 4).split('\0');
    items.set(id, { type: latin1(content, typeAt, typeAt + 4), contentType });
  }
  return items;
}

/** The extents of each item, in the file or in `idat`. */
function readLocations(iloc: Uint8Array, file: Uint8Array, idat: Uint8Array): Map<number, Uint8Array[]> {
  const locations = new Map<number, Uint8Array[]>();
  if (iloc.length === 0) return locations;
  const view = viewOf(iloc);
  const version = view.getUint8(0);
  const sizes = view.getUint16(4);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  let position = 6;
  const next = (size: number): number => {
    position += size;
    if (size === 0) return 0;
    if (size === 2) return view.getUint16(position - 2);
    return size === 4 ? view.getUint32(position - 4) : Number(view.getBigUint64(position - 8));
  };
  const idSize = version === 2 ? 4 : 2;
  for (let left = next(idSize); left > 0; left -= 1) {
    const id = next(idSize);
    const method = version === 0 ? 0 : next(2) & 15;
    next(2); // The data reference: metadata in other files is ignored by the types of `file` and `idat`.
    const base = next(baseSize);
    const extents: Uint8Array[] = [];
    // Entries without a size would repeat one extent 65,535 times.
    const count = next(2);
    for (let each = offsetSize + lengthSize === 0 ? Math.min(1, count) : count; each > 0; each -= 1) {
      next(indexSize);
      const start = base + next(offsetSize);
      const length = next(lengthSize);
      const source = method === 1 ? idat : file;
      if (method < 2) extents.push(source.subarray(start, length === 0 ? source.length : start + length));
    }
    locations.set(id, extents);
  }
  return locations;
}

function join(parts: Uint8Array[], maxSize: number): Uint8Array {
  const [first = new Uint8Array()] = parts;
  if (parts.length < 2) return first;
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size > maxSize) throw new RangeError('The extents overlap');
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
