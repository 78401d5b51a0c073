/** What the boxes of an HEIF file (HEIC, AVIF) say, for server and browser. ISO 14496-12 and 23008-12. */

/** ITU-T H.273, as numbers. */
export type CodedColour = { primaries: number; transfer: number };
export type HeifColour = { icc: Uint8Array } | CodedColour;

type Box = { type: string; start: number; end: number };

export function readBrands(bytes: Uint8Array): string[] {
  const [ftyp] = listBoxes(bytes, 0, bytes.length);
  if (ftyp?.type !== 'ftyp') return [];
  const brands = [];
  // The minor version follows the major brand.
  for (let at = ftyp.start; at + 4 <= ftyp.end; at += 4)
    if (at !== ftyp.start + 4) brands.push(readType(bytes, at));
  return brands;
}

export function hasBox(bytes: Uint8Array, type: string): boolean {
  return listBoxes(bytes, 0, bytes.length).some((box) => box.type === type);
}

/** Of the primary image; of a grid without its own, that of its first tile. An ICC profile comes before numbers. */
export function readHeifColour(bytes: Uint8Array): HeifColour | null {
  try {
    const meta = findBox(listBoxes(bytes, 0, bytes.length), 'meta');
    if (!meta) return null;
    const boxes = listBoxes(bytes, meta.start + 4, meta.end);
    const primary = readPrimaryId(bytes, findBox(boxes, 'pitm'));
    const own = primary === null ? null : colourOf(bytes, boxes, primary);
    if (own || primary === null) return own;
    const tile = readFirstTile(bytes, findBox(boxes, 'iref'), primary);
    return tile === null ? null : colourOf(bytes, boxes, tile);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function colourOf(bytes: Uint8Array, metaBoxes: Box[], itemId: number): HeifColour | null {
  const iprp = findBox(metaBoxes, 'iprp');
  if (!iprp) return null;
  const boxes = listBoxes(bytes, iprp.start, iprp.end);
  const ipco = findBox(boxes, 'ipco');
  if (!ipco) return null;
  const properties = listBoxes(bytes, ipco.start, ipco.end);
  const colours = boxes
    .filter(({ type }) => type === 'ipma')
    .flatMap((ipma) => readPropertyIndexes(bytes, ipma, itemId))
    .flatMap((index) => properties[index - 1] ?? [])
    .filter(({ type }) => type === 'colr')
    .flatMap((colr) => readColour(bytes, colr) ?? []);
  return colours.find((colour) => 'icc' in colour) ?? colours[0] ?? null;
}

function readColour(bytes: Uint8Array, { start, end }: Box): HeifColour | null {
  const kind = readType(bytes, start);
  if (kind === 'prof' || kind === 'rICC') return { icc: bytes.subarray(start + 4, end) };
  const view = viewOf(bytes);
  return kind === 'nclx'
    ? { primaries: view.getUint16(start + 4), transfer: view.getUint16(start + 6) }
    : null;
}

function readPropertyIndexes(bytes: Uint8Array, { start }: Box, itemId: number): number[] {
  const view = viewOf(bytes);
  const hasLongIds = view.getUint8(start) > 0;
  const isWide = (view.getUint8(start + 3) & 1) === 1;
  let at = start + 8;
  for (let left = view.getUint32(start + 4); left > 0; left--) {
    const id = hasLongIds ? view.getUint32(at) : view.getUint16(at);
    at += hasLongIds ? 4 : 2;
    const count = view.getUint8(at++);
    // The highest bit says whether the property is essential.
    if (id === itemId)
      return Array.from({ length: count }, (_, n) =>
        isWide ? view.getUint16(at + 2 * n) & 0x7fff : view.getUint8(at + n) & 0x7f,
      );
    at += isWide ? 2 * count : count;
  }
  return [];
}

function readPrimaryId(bytes: Uint8Array, pitm: Box | undefined): number | null {
  if (!pitm) return null;
  const view = viewOf(bytes);
  return view.getUint8(pitm.start) === 0 ? view.getUint16(pitm.start + 4) : view.getUint32(pitm.start + 4);
}

function readFirstTile(bytes: Uint8Array, iref: Box | undefined, itemId: number): number | null {
  if (!iref) return null;
  const view = viewOf(bytes);
  const isLong = view.getUint8(iref.start) > 0;
  const readId = (at: number) => (isLong ? view.getUint32(at) : view.getUint16(at));
  const size = isLong ? 4 : 2;
  const tiles = listBoxes(bytes, iref.start + 4, iref.end).find(
    ({ type, start }) => type === 'dimg' && readId(start) === itemId,
  );
  return tiles ? readId(tiles.start + size + 2) : null;
}

function findBox(boxes: Box[], type: string): Box | undefined {
  return boxes.find((box) => box.type === type);
}

/** Their contents' bounds. Stops at a box that is damaged. */
function listBoxes(bytes: Uint8Array, from: number, to: number): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const short = view.getUint32(at);
    // 0 means up to the end, 1 that a 64-bit size follows.
    const isLong = short === 1 && at + 16 <= to;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short;
    if (size < (isLong ? 16 : 8)) break;
    boxes.push({
      type: readType(bytes, at + 4),
      start: at + (isLong ? 16 : 8),
      end: Math.min(to, at + size),
    });
    at += size;
  }
  return boxes;
}

function readType(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
