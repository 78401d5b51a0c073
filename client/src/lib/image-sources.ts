import type { Memory } from '#shared/album/memory';
import { COPY_VERSION, IMAGE_WIDTHS, type ImageWidth } from '#shared/photos/image-widths';

/** The version is for browsers' caches. */
export function toCopyUrl(imageUrl: string, width: ImageWidth): string {
  return `${imageUrl}?w=${width}&v=${COPY_VERSION}`;
}

/** For `<img>`: the URLs of all widths. */
export function toImageSources(imageUrl: string) {
  const srcSet = IMAGE_WIDTHS.map((width) => `${toCopyUrl(imageUrl, width)} ${width}w`).join(', ');
  return { src: toCopyUrl(imageUrl, 800), srcSet };
}

/** A photo that is wider than its frame covers it, so that it is drawn wider than the frame. */
export function coveringWidth(
  { width, height }: Pick<Memory, 'width' | 'height'>,
  frameWidth: number,
  frameRatio: number,
): number {
  const ratio = width && height ? width / height : frameRatio;
  return Math.round(frameWidth * Math.max(1, ratio / frameRatio));
}

export function squarePhotoSizes(memory: Pick<Memory, 'width' | 'height'>, side: number): string {
  return `${coveringWidth(memory, side, 1)}px`;
}
