import { Router, type RequestHandler } from 'express';
import { ERROR_CODES } from '#shared/api/api-error';
import { REMOTE_PATH } from '#shared/transfers/remote-source';
import type { AppContext } from '../../platform/context.ts';
import { requireUser } from '../accounts/sessions/access/require-user.ts';
import { googlePickerRoutes } from './google-picker-routes.ts';
import { photoLinkRoutes } from './photo-link-routes.ts';
import type { RemoteRouteContext } from './send-transfer.ts';
import { vendorRoutes } from './vendor-routes.tsx';
import { REPORT_SCRIPT, REPORT_SCRIPT_PATH } from './vendor-sign-in-page.tsx';

/** The calls of companion that our uploader makes. Everything else below REMOTE_PATH is not found. */
export function remoteSourceRoutes(context: RemoteRouteContext): Router {
  const { links, googlePicker, dropbox, onedrive, googleDrive } = context.config.remoteSources;
  const router = Router();
  if (links) router.use(photoLinkRoutes(context));
  if (googlePicker) router.use(googlePickerRoutes(context));
  if (dropbox) router.use(vendorRoutes(context, 'dropbox'));
  if (onedrive) router.use(vendorRoutes(context, 'onedrive'));
  if (googleDrive) router.use(vendorRoutes(context, 'google-drive'));
  router.get(REPORT_SCRIPT_PATH, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(REPORT_SCRIPT);
  });
  router.use(`${REMOTE_PATH}/s3`, requireUser, rejectS3(context));
  return router;
}

/** Browsers PUT photos at our own URLs. Another way into the bucket would pass the album's limits. */
function rejectS3({ securityLog }: Pick<AppContext, 'securityLog'>): RequestHandler {
  return (request, response) => {
    securityLog.record('access-denied', 'refused', { request, details: { of: 'companion-s3' } });
    const message = 'This Companion server does not support uploading to S3';
    response.status(400).json({ error: message, message, code: ERROR_CODES[400] });
  };
}
