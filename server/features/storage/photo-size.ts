import { MAX_BATCH_PHOTO_BYTES, MAX_UPLOAD_BYTES } from '#shared/transfers/upload';

export const PHOTO_TOO_LARGE = photoTooLarge(MAX_UPLOAD_BYTES);

export function maxPhotoBytes({ batchId }: { batchId?: string | null | undefined }): number {
  return batchId ? MAX_BATCH_PHOTO_BYTES : MAX_UPLOAD_BYTES;
}

export function photoTooLarge(maxBytes: number): string {
  return `This photo is larger than ${maxBytes / 1024 ** 2} MB.`;
}
