import type { ObjectStorage, UploadPermission } from '../../platform/object-storage/object-storage.ts';

export const UPLOAD_URL_LIFETIME_SECONDS = 15 * 60;
/** Of an upload without bytes, since it was requested. */
export const UNUSED_UPLOAD_LIFETIME_MS = 60 * 60 * 1000;
/** Since the PUT, or since the last attempt to complete it. */
export const UPLOADED_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The URL for one photo. The embedded storage returns a path. */
export function signUploadUrl(
  storage: ObjectStorage,
  upload: Pick<UploadPermission, 'uploadId' | 'contentType' | 'size' | 'maxBytes' | 'sessionId'>,
): Promise<string> {
  return storage.createUploadUrl({
    ...upload,
    lifetimeSeconds: UPLOAD_URL_LIFETIME_SECONDS,
  });
}
