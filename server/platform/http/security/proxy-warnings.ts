import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { isForwarded } from './local-requests.ts';

type ProxyWarnings = {
  /** Notices each mistake once, and logs it. */
  watch: RequestHandler;
  /** All warnings since the start, for the readiness check. */
  list: () => string[];
};

function isHttps({ headers }: Request): boolean {
  return headers['x-forwarded-proto'] === 'https' || headers.origin?.startsWith('https:') === true;
}

/** Notices a reverse proxy that the configuration does not mention: rate limits and cookies would be wrong. */
export function createProxyWarnings({ http }: Pick<Config, 'http'>, logger: Logger): ProxyWarnings {
  const noticed = new Set<string>();
  const warn = (message: string) => {
    if (noticed.has(message)) return;
    noticed.add(message);
    logger.warn(message);
  };
  return {
    watch(request, _response, next) {
      if (http.trustProxy === false && isForwarded(request))
        warn('Requests come through a proxy, but TRUST_PROXY is off: all clients share its address.');
      if (!http.publicUrl && isHttps(request))
        warn('A proxy offers https, but PUBLIC_URL is not set: cookies are not Secure, and links use http.');
      next();
    },
    list: () => [...noticed],
  };
}
