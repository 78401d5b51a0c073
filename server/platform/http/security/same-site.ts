import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { Config } from '../../config/config.ts';
import { ForbiddenError } from '../../errors.ts';
import { isLoopbackOrigin } from './local-requests.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/** Authenticated by a signature or token instead of the cookie, or without an effect, as the share sheet's. */
const COOKIELESS_PATHS = [
  /^\/uploads\//,
  /^\/unsubscribe\//,
  /^\/api\/(sms|email)\/incoming$/,
  /^\/share-target$/,
];

/** Prevents CSRF: rejects unsafe methods from other sites. Clients that are not browsers send no origin. */
export function rejectOtherSites(config: Pick<Config, 'http'>): RequestHandler {
  return (request, _response, next) => {
    const harmless = isSafeMethod(request.method) || COOKIELESS_PATHS.some((path) => path.test(request.path));
    if (!harmless && !isOwnRequest(request.headers, config.http.publicUrl)) {
      throw new ForbiddenError('This request came from another site and was rejected.', 'refused-origin');
    }
    next();
  };
}

/** Whether a browser sent this from a page of ours. True for clients that are not browsers. */
export function isOwnRequest(headers: IncomingHttpHeaders, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (!origin || origin === publicUrl) return true;
  // Without PUBLIC_URL a proxy may hide the scheme. With it, only pages at this machine have another address.
  if (publicUrl && !isLoopbackOrigin(origin)) return false;
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}
