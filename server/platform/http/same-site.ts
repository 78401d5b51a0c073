import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import { ForbiddenError } from '../errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Calls that carry a proof of their own, and so may come from anywhere. */
const SELF_PROVING_PATHS = [/^\/uploads\//, /^\/unsubscribe\//, /^\/api\/(sms|email)\/incoming$/];

/** Refuses unsafe methods that another site sends with our visitor's cookie. Programs without a browser may call. */
export function refuseOtherSites(config: Pick<Config, 'http'>): RequestHandler {
  return (request, _response, next) => {
    const harmless =
      SAFE_METHODS.has(request.method) || SELF_PROVING_PATHS.some((path) => path.test(request.path));
    if (!harmless && !isOwnRequest(request, config.http.publicUrl)) {
      throw new ForbiddenError('This request came from another site and was refused.');
    }
    next();
  };
}

function isOwnRequest(request: Request, publicUrl: string | null): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = request.get('Origin');
  if (!origin) return true;
  if (origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === request.get('Host');
}
