import type { SquareCrop } from '#shared/photos/square-crop';

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export const MAX_ZOOM = 6;

/** Whole pixels within the picture: what is shown is what will be saved. */
export function fitCrop({ left, top, size }: SquareCrop, picture: Size): SquareCrop {
  const side = clamp(size, maxSize(picture) / MAX_ZOOM, maxSize(picture));
  return {
    left: clamp(left, 0, picture.width - side),
    top: clamp(top, 0, picture.height - side),
    size: side,
  };
}

export function centerCrop(picture: Size): SquareCrop {
  const size = maxSize(picture);
  return { left: Math.floor((picture.width - size) / 2), top: Math.floor((picture.height - size) / 2), size };
}

/** Moves the picture below its frame. @param by in parts of the frame */
export function moveCrop(crop: SquareCrop, picture: Size, by: Point): SquareCrop {
  const { left, top, size } = crop;
  return fitCrop({ left: left - by.x * size, top: top - by.y * size, size }, picture);
}

/** @param anchor the point that stays where it is, in parts of the frame */
export function resizeCrop(
  crop: SquareCrop,
  picture: Size,
  size: number,
  anchor: Point = { x: 0.5, y: 0.5 },
): SquareCrop {
  // A small turn of the wheel must not be rounded away.
  const wanted = size > crop.size ? Math.ceil(size) : Math.floor(size);
  const side = clamp(wanted, maxSize(picture) / MAX_ZOOM, maxSize(picture));
  const shrunk = crop.size - side;
  return fitCrop(
    { left: crop.left + shrunk * anchor.x, top: crop.top + shrunk * anchor.y, size: side },
    picture,
  );
}

/** Two fingers: what was between them stays between them. Points are in parts of the frame. */
export function pinchCrop(
  crop: SquareCrop,
  picture: Size,
  from: [Point, Point],
  to: [Point, Point],
): SquareCrop {
  const ratio = distance(...from) / Math.max(distance(...to), 0.01);
  const [start, end] = [middle(...from), middle(...to)];
  const side = clamp(crop.size * ratio, maxSize(picture) / MAX_ZOOM, maxSize(picture));
  return fitCrop(
    {
      left: crop.left + crop.size * start.x - side * end.x,
      top: crop.top + crop.size * start.y - side * end.y,
      size: side,
    },
    picture,
  );
}

/** 1: as much of the picture as possible. */
export function zoomOf({ size }: SquareCrop, picture: Size): number {
  return maxSize(picture) / size;
}

export function sizeAtZoom(zoom: number, picture: Size): number {
  return maxSize(picture) / zoom;
}

function maxSize({ width, height }: Size): number {
  return Math.min(width, height);
}

function clamp(value: number, min: number, max: number): number {
  return Math.round(Math.min(Math.max(value, min, 0), max));
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
