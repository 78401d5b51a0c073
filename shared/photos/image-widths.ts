/** Every image is available in these widths, in pixels. Not in upload.ts, since the first script of a page has no Zod. */
export const IMAGE_WIDTHS = [200, 400, 800, 1600] as const;
/**
 * Raise it when the decoder renders photos differently: it is in the addresses and keys of the copies. `remake-copies-job` lists
 * the types of photos whose copies are made again.
 */
export const COPY_VERSION = 2;

export type ImageWidth = (typeof IMAGE_WIDTHS)[number];
