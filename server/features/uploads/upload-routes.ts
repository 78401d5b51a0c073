import { Router, type Request } from 'express';
import { CreateUploadRequest } from '#shared/upload';
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
import { PHOTO_TOO_LARGE } from './upload-rejection.ts';

export function uploadRoutes(context: AppContext): Router {
  const { config, storage, imageDecoder } = context;
  const router = Router();

  router.post('/api/objects/upload', requireUser, async (request, response) => {
    const { contentType = null, ...announced } = parseBody(request, CreateUploadRequest);
    const { id: uploadId } = await requestUpload(context, currentUser(request).id, announced);
    const url = await signUploadUrl(storage, { uploadId, contentType, size: announced.size });
    // It is ready when the photo has arrived.
    imageDecoder.warmUp();
    response.set('Cache-Control', 'no-store').json({ uploadURL: new URL(url, ownOrigin(request)).href });
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
};

/** Receives uploads for the embedded storage. Authenticated by the signature of the URL, not by a session. */
export function uploadReceiverRoutes(
  { storage, diskSpace }: Pick<AppContext, 'storage' | 'diskSpace'>,
  onStored: (uploadId: string) => Promise<void>,
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
    });
    if (result !== 'stored') throw RECEIVER_ERRORS[result];
    await onStored(uploadId);
    response.removeHeader('Connection');
    response.status(200).end();
  });

  return router;
}

function onlyStrings(query: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
