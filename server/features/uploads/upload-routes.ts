import { Router, type Request } from 'express';
import { CompleteUploadRequest } from '#shared/album/memory';
import { CreateUploadRequest, type StorageUsage } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import type { UploadReceiver } from '../../platform/object-storage/object-storage.ts';
import {
  AppError,
  ConflictError,
  ForbiddenError,
  InvalidError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnauthorizedError,
} from '../../platform/errors.ts';
import { currentSessionId } from '../accounts/sessions/current-session-id.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { idParam, parseBody, parseOptionalBody } from '../../platform/http/validate.ts';
import { signUploadUrl } from './sign-upload-url.ts';
import { completeUpload } from './complete-upload.ts';
import { requestUpload } from './request-upload.ts';
import { presentMemory } from '../memories/memory-presenter.ts';
import { findStorageUsage, limitsFor } from '../storage/storage-limit.ts';
import { userTimeZone } from '../accounts/users/user-queries.ts';
import type { UploadRecords } from './upload-records.ts';
import { rejectionError } from './upload-rejection.ts';
import { maxPhotoBytes, PHOTO_TOO_LARGE } from '../storage/photo-size.ts';

export function uploadRoutes(context: AppContext): Router {
  const { config, db, storage, diskSpace, imageDecoder } = context;
  const router = Router();

  router.post('/api/objects/upload', requireUser, async (request, response) => {
    const { contentType = null, size = null, ...announced } = parseOptionalBody(request, CreateUploadRequest);
    const sessionId = await currentSessionId(db, request);
    if (size === null && !storage.receiver) throw new InvalidError(SIZE_MISSING, { size: SIZE_MISSING });
    const maxBytes = maxPhotoBytes(announced);
    const upload = { ...announced, size: size ?? maxBytes };
    const { id: uploadId } = await requestUpload(context, currentUser(request).id, upload);
    const url = await signUploadUrl(storage, { uploadId, contentType, size, maxBytes, sessionId });
    // It is ready when the photo has arrived.
    imageDecoder.warmUp();
    response.set('Cache-Control', 'no-store').json({ uploadURL: new URL(url, ownOrigin(request)).href });
  });

  router.post('/api/memories/complete-upload', requireUser, async (request, response) => {
    const fields = parseBody(request, CompleteUploadRequest);
    const user = currentUser(request);
    const result = await completeUpload(context, user.id, { ...fields, timeZone: userTimeZone(user) });
    if (result.kind === 'rejected') throw rejectionError(result.reason, limitsFor(config, user));
    if (!result.memory) throw new NotFoundError('This photo was deleted.');
    const { memory, before } = result;
    response.status(before === 'none' ? 201 : 200).json({ ...presentMemory(memory), before });
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

/** A bucket takes any number of bytes at a URL without a size. */
const SIZE_MISSING = 'Please send the size of the photo in bytes';

const RECEIVER_ERRORS = {
  forged: new ForbiddenError('This upload address is not valid.', 'forged-signature', { of: 'upload' }),
  expired: new ForbiddenError('Request has expired'),
  mistyped: new ForbiddenError('This upload address is for another type of file.'),
  'too-large': new TooLargeError(PHOTO_TOO_LARGE),
  'wrong-size': new AppError(400, 'The file size does not match this upload address.'),
  incomplete: new AppError(400, 'The file was cut off on the way.'),
  superseded: new ConflictError('This upload address was used again.'),
  completed: new ConflictError('This upload is already completed.'),
  replaced: new ConflictError('This upload was given up. Please add the photo again.'),
};

/** Receives uploads for the embedded storage. Authenticated by the signature of the URL, not by the cookie. */
export function uploadReceiverRoutes(
  { storage, diskSpace }: Pick<AppContext, 'storage' | 'diskSpace'>,
  records: UploadRecords,
): Router {
  const router = Router();
  const { receiver } = storage;
  if (!receiver) return router;

  router.put('/uploads/:id', async (request, response) => {
    const length = request.get('Content-Length');
    // The unread rest of a rejected body would corrupt the next request on the same connection.
    response.set('Connection', 'close');
    await diskSpace.requireRoom();
    await receive(receiver, request, { uploadId: idParam(request), length });
    response.removeHeader('Connection');
    response.status(200).end();
  });

  return router;

  async function receive(
    from: UploadReceiver,
    request: Request,
    { uploadId, length }: { uploadId: string; length: string | undefined },
  ): Promise<void> {
    // Undefined until the request is known to be valid.
    let sessionId = undefined as string | null | undefined;
    try {
      const result = await from.receive({
        uploadId,
        query: onlyStrings(request.query),
        contentType: request.get('Content-Type') ?? null,
        contentLength: length === undefined ? null : Number(length),
        body: request,
        // Before the bytes arrive, so that the upload is not replaced while they do.
        async beforeStore(ofUrl) {
          await requireOpen(uploadId, ofUrl);
          sessionId = ofUrl;
        },
      });
      if (result !== 'stored') throw RECEIVER_ERRORS[result];
      if (sessionId !== undefined) await requireStillOpen(uploadId, sessionId);
    } catch (error) {
      if (sessionId !== undefined && error !== RECEIVER_ERRORS.superseded) await records.markUnused(uploadId);
      throw error;
    }
  }

  async function requireStillOpen(uploadId: string, sessionId: string | null): Promise<void> {
    try {
      await requireOpen(uploadId, sessionId);
    } catch (error) {
      if (error instanceof ConflictError || error instanceof UnauthorizedError)
        await storage.deleteUpload(uploadId);
      throw error;
    }
  }

  /** @throws ConflictError; UnauthorizedError if the session that requested the upload has ended */
  async function requireOpen(uploadId: string, sessionId: string | null): Promise<void> {
    if (sessionId !== null && !(await records.isSessionValid(sessionId))) throw new UnauthorizedError();
    const status = await records.markUsed(uploadId);
    if (status !== 'open') throw RECEIVER_ERRORS[status === 'completed' ? 'completed' : 'replaced'];
  }
}

function onlyStrings(query: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
