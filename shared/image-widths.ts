/** Every image is available in these widths, in pixels. Not in upload.ts, since the first script of a page has no Zod. */
export const IMAGE_WIDTHS = [200, 400, 800, 1600] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];
