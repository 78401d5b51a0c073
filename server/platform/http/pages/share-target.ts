import { Router } from 'express';
import { paths, SHARE_ID_PARAM, SHARE_TARGET, SHARED_PARAM, type ShareResult } from '#shared/api/page-paths';

/**
 * The service worker stores photos of a share sheet. Without it they are not read: the page asks to share them again.
 * Then it navigates here with the id of the share. If a form of another site began that navigation, which only the
 * server is told, the redirect makes the service worker delete them.
 */
export function shareTargetRoutes(): Router {
  const router = Router();
  const toPage = (result: ShareResult) => `${paths.addMany}?${SHARED_PARAM}=${result}`;
  router.post(SHARE_TARGET, (_request, response) => {
    response.redirect(303, toPage('no-worker'));
  });
  router.get(paths.addMany, (request, response, next) => {
    const isOfOtherSite = ['cross-site', 'same-site'].includes(request.get('Sec-Fetch-Site') ?? '');
    if (request.query[SHARE_ID_PARAM] === undefined || !isOfOtherSite) return next();
    response.redirect(303, toPage('other-site'));
  });
  return router;
}
