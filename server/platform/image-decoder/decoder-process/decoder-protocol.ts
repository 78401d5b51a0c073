import type { MemoryDate } from '#shared/dates/calendar-date';
import type { SquareCrop } from '#shared/photos/square-crop';

/** Dimensions are those of the upright image, in pixels. */
export type InspectedImage = {
  contentType: string;
  byteSize: number;
  sha256: string;
  width: number;
  height: number;
  /** It has several frames, which the original shows. */
  isAnimated: boolean;
  /** By an orientation that not every browser applies: all formats' but JPEG's. */
  isTurned: boolean;
  /** A thumbhash in base64. */
  placeholder: string;
  /** The EXIF capture date in the camera's local time; null when there is none. */
  takenAt: MemoryDate | null;
};

/** The width of the variant that is made while a photo is inspected, in pixels: the one that galleries show. */
export const TILE_WIDTH = 400;

/** `tile`: a WebP of `TILE_WIDTH`. */
export type Inspection = { image: InspectedImage; tile: Uint8Array };

export type Rendering =
  | {
      format: 'webp' | 'jpeg';
      /**
       * Null keeps the full size. A copy has at most 6 megapixels, and is at most four times as high as this: a tall image is
       * narrower.
       */
      width: number | null;
      /** The page bounds it instead. */
      isForPrint?: boolean;
      /** Per cent; defaults to the format's. */
      quality?: number;
    }
  /** Of exactly this size, cropped around the most salient part. The quality falls until it has at most so many bytes. */
  | { format: 'jpeg'; preview: { width: number; height: number }; maxBytes: number };

/** A WebP of `crop`, with the size of the upright image that it is in. */
export type CroppedSquare = { crop: SquareCrop; width: number; height: number; square: Uint8Array };

/** A probe reads only the header. */
export type TaskContent = { bytes: Uint8Array } & (
  | { kind: 'probe' }
  | { kind: 'inspect' }
  | { kind: 'render'; renderings: Rendering[] }
  /** Without a crop, it is the largest square around the most salient part. */
  | { kind: 'crop'; crop: SquareCrop | null; maxSide: number }
);
export type Task = TaskContent & { id: number };

export const READY = 'ready';

/** Has one of result, rejected and failed. */
export type DecoderResponse = {
  id: number;
  result?: 'probed' | Inspection | Uint8Array[] | CroppedSquare;
  rejected?: RejectionReason;
  failed?: string;
  /** The memory that the process holds after the task. */
  memoryBytes?: number;
};

export type RejectionReason = 'not-a-photo' | 'video' | 'damaged' | 'too-many-pixels';

export class ImageRejectedError extends Error {
  override readonly name = 'ImageRejectedError';
  constructor(
    readonly reason: RejectionReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
