/** In pixels of the upright image. */
export type SquareCrop = { left: number; top: number; size: number };
