import { latin1, viewOf } from './bytes.ts';
import { readBoxes, readBrands } from './heif-boxes.ts';

/** Whether browsers play it: a WebP, PNG (APNG) or AVIF with several frames. The frames of a GIF are not counted: false. */
export function isAnimatedImage(bytes: Uint8Array): boolean {
  if (latin1(bytes, 0, 4) === 'RIFF' && latin1(bytes, 8, 12) === 'WEBP') return isAnimatedWebp(bytes);
  if (latin1(bytes, 1, 4) === 'PNG') return isAnimatedPng(bytes);
  return readBrands(bytes).includes('avis') && readBoxes(bytes).some(({ type }) => type === 'moov');
}

function isAnimatedWebp(bytes: Uint8Array): boolean {
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length && frames < 2;) {
    if (latin1(bytes, at, at + 4) === 'ANMF') frames++;
    const size = viewOf(bytes).getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return frames > 1;
}

/** The chunk that counts the frames comes before the pixels. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  for (let at = 8; at + 12 <= bytes.length;) {
    const type = latin1(bytes, at + 4, at + 8);
    if (type === 'acTL') return viewOf(bytes).getUint32(at + 8) > 1;
    if (type === 'IDAT') return false;
    at += 12 + viewOf(bytes).getUint32(at);
  }
  return false;
}
