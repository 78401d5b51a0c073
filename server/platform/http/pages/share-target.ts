import { Router } from 'express';
import { paths, SHARE_TARGET, SHARED_PARAM, type ShareResult } from '#shared/api/page-paths';

/** The service worker stores photos of a share sheet. Without it they are not read: the page asks to share them again. */
export function shareTargetRoutes(): Router {
  const router = Router();
  const result: ShareResult = 'no-worker';
  router.post(SHARE_TARGET, (_request, response) => {
    response.redirect(303, `${paths.addMany}?${SHARED_PARAM}=${result}`);
  });
  return router;
}
