import { latin1, viewOf } from './bytes.ts';
import { contentOf, readBoxes, readMetaBoxes, type Box } from './heif-boxes.ts';

/** ITU-T H.273, as numbers. */
export type CodedColor = { primaries: number; transfer: number };
export type HeifColor = { icc: Uint8Array } | CodedColor;

/**
 * Of the primary image of a HEIC or AVIF (ISO 23008-12); of a grid without its own, that of its first tile. An ICC profile comes
 * before numbers.
 */
export function readHeifColor(bytes: Uint8Array): HeifColor | null {
  try {
    const meta = readMetaBoxes(bytes);
    const primary = readPrimaryId(contentOf(meta, 'pitm'));
    if (primary === null) return null;
    const own = colorOf(meta, primary);
    if (own) return own;
    const tile = readFirstTile(contentOf(meta, 'iref'), primary);
    return tile === null ? null : colorOf(meta, tile);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function colorOf(meta: Box[], itemId: number): HeifColor | null {
  const boxes = readBoxes(contentOf(meta, 'iprp'));
  const properties = readBoxes(contentOf(boxes, 'ipco'));
  const colors = boxes
    .filter(({ type }) => type === 'ipma')
    .flatMap(({ content }) => readPropertyIndexes(content, itemId))
    .flatMap((index) => properties[index - 1] ?? [])
    .filter(({ type }) => type === 'colr')
    .flatMap(({ content }) => readColor(content) ?? []);
  return colors.find((color) => 'icc' in color) ?? colors[0] ?? null;
}

function readColor(colr: Uint8Array): HeifColor | null {
  const kind = latin1(colr, 0, 4);
  if (kind === 'prof' || kind === 'rICC') return { icc: colr.subarray(4) };
  const view = viewOf(colr);
  return kind === 'nclx' ? { primaries: view.getUint16(4), transfer: view.getUint16(6) } : null;
}

function readPropertyIndexes(ipma: Uint8Array, itemId: number): number[] {
  const view = viewOf(ipma);
  const hasLongIds = view.getUint8(0) > 0;
  const isWide = (view.getUint8(3) & 1) === 1;
  let at = 8;
  for (let left = view.getUint32(4); left > 0; left--) {
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

function readPrimaryId(pitm: Uint8Array): number | null {
  if (pitm.length === 0) return null;
  const view = viewOf(pitm);
  return view.getUint8(0) === 0 ? view.getUint16(4) : view.getUint32(4);
}

function readFirstTile(iref: Uint8Array, itemId: number): number | null {
  if (iref.length === 0) return null;
  const isLong = iref[0] !== 0;
  const readId = (content: Uint8Array, at: number) =>
    isLong ? viewOf(content).getUint32(at) : viewOf(content).getUint16(at);
  const size = isLong ? 4 : 2;
  const tiles = readBoxes(iref.subarray(4)).find(
    ({ type, content }) => type === 'dimg' && readId(content, 0) === itemId,
  );
  return tiles ? readId(tiles.content, size + 2) : null;
}
