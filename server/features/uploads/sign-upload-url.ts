import type { ObjectStorage, UploadPermission } from '../../platform/object-storage/object-storage.ts';

export const UPLOAD_URL_LIFETIME_SECONDS = 15 * 60;
/** Since it was requested, since its PUT, or since the last attempt to complete it. */
export const UNUSED_UPLOAD_LIFETIME_MS = 60 * 60 * 1000;

/** The URL for one photo. The embedded storage returns a path. */
export function signUploadUrl(
  storage: ObjectStorage,
  upload: Pick<UploadPermission, 'uploadId' | 'contentType' | 'size' | 'maxBytes'>,
): Promise<string> {
  return storage.createUploadUrl({
    ...upload,
    lifetimeSeconds: UPLOAD_URL_LIFETIME_SECONDS,
  });
}
