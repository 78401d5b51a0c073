import { Router, type Request } from 'express';
import { CreateUploadRequest, MAX_UPLOAD_BYTES, UPLOAD_URL_LIFETIME_SECONDS } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import {
  AppError,
  ConflictError,
  ForbiddenError,
  MalformedError,
  TooLargeError,
} from '../../platform/errors.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { idParam, parseOptionalBody } from '../../platform/http/validate.ts';
import { checkStorageLimit } from './storage-limit.ts';
import { PHOTO_TOO_LARGE } from './upload-errors.ts';
import { createUpload } from './upload-queries.ts';

/** Asking for an address to put a photo to. */
export function uploadRoutes(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'storage' | 'rateLimits'>,
): Router {
  const { config, db, clock, storage, rateLimits } = context;
  const router = Router();

  router.post('/api/objects/upload', requireUser, async (request, response) => {
    const { id: ownerId } = currentUser(request);
    const { contentType = null, size = null } = parseOptionalBody(request, CreateUploadRequest);
    if (size !== null && size > MAX_UPLOAD_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
    await rateLimits.uploadPerUser.consume(ownerId);
    // Without a size any file is too much for a full album, and what it weighs is looked at when it is there.
    await checkStorageLimit(config, db, ownerId, size ?? 1);
    const upload = await createUpload(db, ownerId, clock.now());
    const url = await storage.createUploadUrl({
      uploadId: upload.id,
      contentType,
      size,
      maxBytes: MAX_UPLOAD_BYTES,
      lifetimeSeconds: UPLOAD_URL_LIFETIME_SECONDS,
    });
    response.set('Cache-Control', 'no-store').json({ uploadURL: new URL(url, ownOrigin(request)).href });
  });

  return router;

  /** The embedded store's addresses are paths of our own; whoever asks gets them as whole addresses. */
  function ownOrigin(request: Request): string {
    const origin = config.http.publicUrl ?? `${request.protocol}://${request.get('Host') ?? ''}`;
    if (!URL.canParse(origin)) throw new MalformedError('The Host header is not valid.');
    return origin;
  }
}

const REFUSALS = {
  forged: new ForbiddenError('This upload address is not valid.'),
  expired: new ForbiddenError('Request has expired'),
  mistyped: new ForbiddenError('This upload address is for another type of file.'),
  'too-large': new TooLargeError(PHOTO_TOO_LARGE),
  'wrong-size': new AppError(400, 'The file size does not match this upload address.'),
  incomplete: new AppError(400, 'The file was cut off on the way.'),
  completed: new ConflictError('This upload is already completed.'),
};

/** Where browsers put their photos, when the storage leaves that to us. The signature is the proof: no session. */
export function uploadReceiverRoutes({ storage }: Pick<AppContext, 'storage'>): Router {
  const router = Router();
  const { receiver } = storage;
  if (!receiver) return router;

  router.put('/uploads/:id', async (request, response) => {
    const length = request.get('Content-Length');
    // Nobody reads the rest of a refused body, and a request after it on the same connection would be lost.
    response.set('Connection', 'close');
    const result = await receiver.receive({
      uploadId: idParam(request),
      query: onlyTexts(request.query),
      contentType: request.get('Content-Type') ?? null,
      contentLength: length === undefined ? null : Number(length),
      body: request,
    });
    if (result !== 'stored') throw REFUSALS[result];
    response.removeHeader('Connection');
    response.status(200).end();
  });

  return router;
}

function onlyTexts(query: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
