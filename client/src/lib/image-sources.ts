import { IMAGE_WIDTHS } from '#shared/image-widths';

/** For `<img>`: the URLs of all widths. */
export function toImageSources(imageUrl: string) {
  const srcSet = IMAGE_WIDTHS.map((width) => `${imageUrl}?w=${width} ${width}w`).join(', ');
  return { src: `${imageUrl}?w=800`, srcSet };
}
