import { hasBox, readBrands } from './heif-file.ts';

/** Whether browsers play it: a WebP, PNG (APNG) or AVIF with several frames. The frames of a GIF are not counted: false. */
export function isAnimatedImage(bytes: Uint8Array): boolean {
  if (readText(bytes, 0, 4) === 'RIFF' && readText(bytes, 8, 4) === 'WEBP') return isAnimatedWebp(bytes);
  if (readText(bytes, 1, 3) === 'PNG') return isAnimatedPng(bytes);
  return readBrands(bytes).includes('avis') && hasBox(bytes, 'moov');
}

function isAnimatedWebp(bytes: Uint8Array): boolean {
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length && frames < 2;) {
    if (readText(bytes, at, 4) === 'ANMF') frames++;
    const size = viewOf(bytes).getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return frames > 1;
}

/** The chunk that counts the frames comes before the pixels. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = readText(bytes, at + 4, 4);
    if (type === 'acTL') return viewOf(bytes).getUint32(at + 8) > 1;
    if (type === 'IDAT') return false;
    at += 12 + viewOf(bytes).getUint32(at);
  }
  return false;
}

function readText(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
