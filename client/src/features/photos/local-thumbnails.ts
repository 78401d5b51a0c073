/** Data URLs of the photos uploaded in this tab, by image URL. */
const thumbnails = new Map<string, string>();

/** Shows a photo where its image is still loading. */
export function setLocalThumbnail(imageUrl: string, thumbnail: string): void {
  thumbnails.set(imageUrl, thumbnail);
}

export const localThumbnail = (imageUrl: string) => thumbnails.get(imageUrl);
