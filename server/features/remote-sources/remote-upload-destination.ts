import * as z from 'zod/mini';
import { CreateUploadRequest, MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../platform/errors.ts';
import { reserveLargestPhoto } from '../uploads/request-upload.ts';
import { signUploadUrl, UPLOAD_URL_LIFETIME_SECONDS } from '../uploads/sign-upload-url.ts';
import { findUpload } from '../uploads/upload-queries.ts';

const MAX_NAME_LENGTH = 200;

/** Sent by Uppy's clients with each photo. Other fields are ignored. */
export const RemoteUploadRequest = z.object({
  /** The URL from POST /api/objects/upload. */
  endpoint: z.string({ error: 'Please send the upload address' }),
  metadata: z.optional(z.object({ name: z.optional(z.string()), type: z.optional(z.string()) })),
});
export type RemoteUploadRequest = z.infer<typeof RemoteUploadRequest>;

/**
 * The body for companion, which would send the photo to any address in any way. Of the browser's, only the upload's id and
 * the description are used. `ownOrigin` is where this process receives uploads to the embedded storage.
 */
export async function toUploadDestination(
  context: Pick<AppContext, 'config' | 'db' | 'storage' | 'clock' | 'diskSpace'>,
  userId: string,
  { endpoint, metadata = {} }: RemoteUploadRequest,
  ownOrigin: string,
): Promise<object> {
  const { db, storage, clock } = context;
  const uploadId = storage.uploadIdOf(endpoint);
  const upload = uploadId && (await findUpload(db, userId, uploadId));
  if (!upload) throw new NotFoundError('This upload was not found. Please add the photo again.');
  if (upload.status !== 'open') throw new ConflictError('This upload is already completed.');
  const age = clock.now().getTime() - upload.createdAt.getTime();
  if (age > UPLOAD_URL_LIFETIME_SECONDS * 1000) throw new ForbiddenError('Request has expired');
  await reserveLargestPhoto(context, upload);
  const contentType = toContentType(metadata.type);
  // This URL is not sent to the browser. Companion limits the size.
  const url = await signUploadUrl(storage, {
    uploadId: upload.id,
    contentType,
    size: null,
    maxBytes: MAX_UPLOAD_BYTES,
    // Companion began with a valid session, and has no use for it since.
    sessionId: null,
  });
  return {
    endpoint: new URL(url, ownOrigin).href,
    protocol: 'multipart',
    httpMethod: 'PUT',
    useFormData: false,
    headers: { 'content-type': contentType },
    metadata: { name: metadata.name?.slice(0, MAX_NAME_LENGTH) ?? 'photo', type: contentType },
  };
}

/** Vendors and browsers guess it from the name. Only the bytes decide, when the upload is completed. */
function toContentType(type: string | undefined): string {
  const { contentType } = z.safeParse(CreateUploadRequest, { contentType: type }).data ?? {};
  return contentType ?? 'application/octet-stream';
}
