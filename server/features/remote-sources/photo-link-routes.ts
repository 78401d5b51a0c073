import { Router, type Request } from 'express';
import { PhotoLinkRequest, REMOTE_ERRORS, REMOTE_PATH } from '#shared/transfers/remote-source';
import { AppError } from '../../platform/errors.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { describeLinkedPhoto, openLinkedPhoto } from './linked-photo.ts';
import { sendTransfer, type RemoteRouteContext } from './send-transfer.ts';

const LINK_REQUEST_BYTES = 4_096;

export function photoLinkRoutes(context: RemoteRouteContext): Router {
  const { rateLimits, transfers, downloadLimits } = context;
  const router = Router();

  router.post(`${REMOTE_PATH}/url/meta`, requireUser, async (request, response) => {
    const url = readLink(request);
    const { id: userId } = currentUser(request);
    await rateLimits.remotePhotoPerUser.consume(userId);
    const cancelled = new AbortController();
    response.once('close', () => cancelled.abort());
    const photo = await transfers.withTransferSlot(userId, () =>
      describeLinkedPhoto(context, userId, url, downloadLimits, cancelled.signal),
    );
    response.json(photo);
  });

  router.post(`${REMOTE_PATH}/url/get`, requireUser, async (request, response) => {
    const url = readLink(request);
    await sendTransfer(context, request, response, async (service, call) => {
      const { body: photo } = await openLinkedPhoto(url, downloadLimits);
      try {
        const stored = await service.storePhoto(photo, call);
        return { ...stored, abort: () => void (stored.abort(), photo.destroy()) };
      } catch (error) {
        photo.destroy();
        throw error;
      }
    });
  });

  return router;
}

function readLink(request: Request): string {
  const { url } = parseBody(request, PhotoLinkRequest);
  if (url.length > LINK_REQUEST_BYTES) throw new AppError(422, REMOTE_ERRORS.linkTooLong);
  return url.trim();
}
