import { Router } from 'express';
import * as z from 'zod/mini';
import { REMOTE_ERRORS, REMOTE_PATH, type RemoteSource } from '#shared/transfers/remote-source';
import { AppError, MalformedError } from '../../platform/errors.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { GetError, parsePublicUrl } from '../../platform/public-http/get-public-url.ts';
import { requireUser } from '../accounts/sessions/access/require-user.ts';
import { toLinkError } from './linked-photo.ts';
import { sendTransfer, toTransferError, type RemoteRouteContext } from './send-transfer.ts';
import { signInExpired } from './vendor-sign-in.ts';

/** Google Photos' hosts for chosen photos: the user's access token is sent only to these. */
const GOOGLE_PHOTOS_HOST = /^[\w-]+\.googleusercontent\.com$/;

const PickedFile = z.object({
  accessToken: z.string(),
  platform: z.enum(['drive', 'photos']),
  fileId: z.optional(z.string()),
  url: z.optional(z.string()),
});

export function googlePickerRoutes(context: RemoteRouteContext): Router {
  const router = Router();

  router.post(`${REMOTE_PATH}/google-picker/get`, requireUser, async (request, response) => {
    const picked = parseBody(request, PickedFile);
    if (picked.platform === 'photos') checkGooglePhotosUrl(picked.url ?? '');
    else if (!picked.fileId) throw new MalformedError('Please send the id of the file.');
    const source = picked.platform === 'photos' ? 'google-photos-picker' : 'google-drive-picker';
    await sendTransfer(
      context,
      request,
      response,
      (service, { body, requestId }) => {
        const call = { method: 'POST', path: '/google-picker/get', requestId } as const;
        return service.call({ ...call, body: { ...picked, ...body } });
      },
      (status, json) => toPickerError(source, status, json),
    );
  });

  return router;
}

function checkGooglePhotosUrl(address: string): void {
  try {
    const { protocol, hostname } = parsePublicUrl(address);
    if (protocol === 'https:' && GOOGLE_PHOTOS_HOST.test(hostname)) return;
  } catch (error) {
    throw error instanceof GetError ? toLinkError(error.reason) : error;
  }
  throw new AppError(422, REMOTE_ERRORS.forbiddenAddress, { security: { event: 'refused-address' } });
}

/** Companion passes on Google's status in its body. */
function toPickerError(source: RemoteSource, status: number, json: unknown): AppError {
  const { statusCode = status } = (json ?? {}) as { statusCode?: number };
  // 403: the address of a picked photo, which lives for an hour, has expired.
  if (statusCode === 401 || statusCode === 403) return signInExpired(source);
  if (statusCode === 404) return new AppError(424, REMOTE_ERRORS.notFound);
  return toTransferError(status, json);
}
