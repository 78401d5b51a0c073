import { COPY_VERSION, IMAGE_WIDTHS, type ImageWidth } from '#shared/image-widths';

/** The version is for browsers' caches. */
export function toCopyUrl(imageUrl: string, width: ImageWidth): string {
  return `${imageUrl}?w=${width}&v=${COPY_VERSION}`;
}

/** For `<img>`: the URLs of all widths. */
export function toImageSources(imageUrl: string) {
  const srcSet = IMAGE_WIDTHS.map((width) => `${toCopyUrl(imageUrl, width)} ${width}w`).join(', ');
  return { src: toCopyUrl(imageUrl, 800), srcSet };
}
