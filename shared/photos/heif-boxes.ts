import { latin1, viewOf } from './bytes.ts';

/** A box of ISO 14496-12, which HEIC and AVIF consist of, without its header. */
export interface Box {
  type: string;
  content: Uint8Array;
}

/** Ends at a box that is damaged. */
export function readBoxes(bytes: Uint8Array): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let offset = 0; offset + 8 <= bytes.length;) {
    const size32 = view.getUint32(offset);
    // 1: 64 bits follow; 0: up to the end.
    const headerSize = size32 === 1 ? 16 : 8;
    if (offset + headerSize > bytes.length) break;
    const size = size32 === 1 ? Number(view.getBigUint64(offset + 8)) : size32 || bytes.length - offset;
    if (size < headerSize) break;
    const type = latin1(bytes, offset + 4, offset + 8);
    boxes.push({ type, content: bytes.subarray(offset + headerSize, offset + size) });
    offset += size;
  }
  return boxes;
}

/** Of the first box of this type; empty without one. */
export function contentOf(boxes: Box[], type: string): Uint8Array {
  return boxes.find((box) => box.type === type)?.content ?? new Uint8Array();
}

/** The boxes in the meta box, whose content begins with version and flags. */
export function readMetaBoxes(bytes: Uint8Array): Box[] {
  return readBoxes(contentOf(readBoxes(bytes), 'meta').subarray(4));
}

/** The major brand, then the compatible ones. Empty if it is no such file. */
export function readBrands(bytes: Uint8Array): string[] {
  const [ftyp] = readBoxes(bytes);
  if (ftyp?.type !== 'ftyp') return [];
  const brands = latin1(ftyp.content).match(/[^]{4}/g) ?? [];
  // The minor version follows the major brand.
  return brands.filter((_, index) => index !== 1);
}
