import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { isFromThisMachine } from './local-requests.ts';

/** Load balancers and Companion use the machine's address. An upload's URL is signed. */
const MACHINE_PATHS = /^\/(api\/health|uploads)(\/|$)/;

/** With PUBLIC_URL, refuses requests for other hosts, so that no response is made for, or cached under, a foreign name. */
export function refuseOtherHosts({ http }: Pick<Config, 'http'>): RequestHandler {
  if (!http.publicUrl) return (_request, _response, next) => next();
  const { host: ownHost } = new URL(http.publicUrl);
  return (request, _response, next) => {
    if (isOwnHost({ http }, request) || MACHINE_PATHS.test(request.path)) return next();
    throw new AppError(
      421,
      `This server answers for ${ownHost}. A proxy before it must pass on the Host header.`,
      { security: { event: 'refused-host' } },
    );
  };
}

/** Also for requests of websockets. True without PUBLIC_URL, and for requests of this machine. */
export function isOwnHost({ http }: Pick<Config, 'http'>, request: Request): boolean {
  if (!http.publicUrl) return true;
  const { protocol, host: ownHost } = new URL(http.publicUrl);
  // Without the port, if it is the scheme's own.
  const url = `${protocol}//${request.host}`;
  const isOwn = request.host === ownHost || (URL.canParse(url) && new URL(url).host === ownHost);
  return isOwn || isFromThisMachine(request);
}
