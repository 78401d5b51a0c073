import type { Memory } from '#shared/memory';

/** Extreme panoramas and strips are cropped to these, so that every print stays a picture. */
const NARROWEST = 0.6;
const WIDEST = 2;

/** Width by height of a memory's print. */
export function aspectOf({ width, height }: Memory): number {
  if (!width || !height) return 1;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}
