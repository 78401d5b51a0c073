import { Router, type Request } from 'express';
import { CreateUploadRequest, type StorageUsage } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import {
  AppError,
  ConflictError,
  ForbiddenError,
  MalformedError,
  TooLargeError,
} from '../../platform/errors.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { requestUpload } from './request-upload.ts';
import { findStorageUsage } from './storage-limit.ts';
import type { UploadRow } from './upload-queries.ts';
import { maxPhotoBytes, PHOTO_TOO_LARGE } from './upload-rejection.ts';

export function uploadRoutes(context: AppContext): Router {
  const { config, db, storage, diskSpace, imageDecoder } = context;
  const router = Router();

  router.post('/api/objects/upload', requireUser, async (request, response) => {
    const { contentType = null, ...announced } = parseBody(request, CreateUploadRequest);
    const { id: uploadId } = await requestUpload(context, currentUser(request).id, announced);
    const maxBytes = maxPhotoBytes(announced);
    const url = await signUploadUrl(storage, { uploadId, contentType, size: announced.size, maxBytes });
    // It is ready when the photo has arrived.
    imageDecoder.warmUp();
    response.set('Cache-Control', 'no-store').json({ uploadURL: new URL(url, ownOrigin(request)).href });
  });

  router.get('/api/user/storage', requireUser, async (request, response) => {
    const usage: StorageUsage = {
      ...(await findStorageUsage(config, db, currentUser(request).id)),
      freeDiskBytes: await diskSpace.freeObjectBytes(),
    };
    response.json(usage);
  });

  return router;

  /** The embedded storage returns paths; clients get absolute URLs. */
  function ownOrigin(request: Request): string {
    const origin = config.http.publicUrl ?? `${request.protocol}://${request.get('Host') ?? ''}`;
    if (!URL.canParse(origin)) throw new MalformedError('The Host header is not valid.');
    return origin;
  }
}

const RECEIVER_ERRORS = {
  forged: new ForbiddenError('This upload address is not valid.', 'forged-signature', { of: 'upload' }),
  expired: new ForbiddenError('Request has expired'),
  mistyped: new ForbiddenError('This upload address is for another type of file.'),
  'too-large': new TooLargeError(PHOTO_TOO_LARGE),
  'wrong-size': new AppError(400, 'The file size does not match this upload address.'),
  incomplete: new AppError(400, 'The file was cut off on the way.'),
  completed: new ConflictError('This upload is already completed.'),
  replaced: new ConflictError('This upload was given up. Please add the photo again.'),
};

/** Receives uploads for the embedded storage. Authenticated by the signature of the URL, not by a session. */
export function uploadReceiverRoutes(
  { storage, diskSpace }: Pick<AppContext, 'storage' | 'diskSpace'>,
  /** @returns the upload's status; null if it is missing */
  markUsed: (uploadId: string) => Promise<UploadRow['status'] | null>,
): Router {
  const router = Router();
  const { receiver } = storage;
  if (!receiver) return router;

  router.put('/uploads/:id', async (request, response) => {
    const length = request.get('Content-Length');
    // The unread rest of a rejected body would corrupt the next request on the same connection.
    response.set('Connection', 'close');
    await diskSpace.requireRoom();
    const uploadId = idParam(request);
    const result = await receiver.receive({
      uploadId,
      query: onlyStrings(request.query),
      contentType: request.get('Content-Type') ?? null,
      contentLength: length === undefined ? null : Number(length),
      body: request,
      // Before the bytes arrive, so that the upload is not replaced while they do.
      beforeStore: () => requireOpen(uploadId),
    });
    if (result !== 'stored') throw RECEIVER_ERRORS[result];
    try {
      await requireOpen(uploadId);
    } catch (error) {
      if (error instanceof ConflictError) await storage.deleteUpload(uploadId);
      throw error;
    }
    response.removeHeader('Connection');
    response.status(200).end();
  });

  return router;

  async function requireOpen(uploadId: string): Promise<void> {
    const status = await markUsed(uploadId);
    if (status !== 'open') throw RECEIVER_ERRORS[status === 'completed' ? 'completed' : 'replaced'];
  }
}

function onlyStrings(query: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
