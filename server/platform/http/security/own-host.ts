import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../../config/config.ts';
import { AppError } from '../../errors.ts';
import { isForLoopbackHost } from './local-requests.ts';

/** Load balancers and Companion use the machine's address. An upload's URL is signed. */
const MACHINE_PATHS = /^\/(api\/health|uploads)(\/|$)/;

/** Names that no one can register, so they cannot be pointed at this machine from outside. */
const LOCAL_NAME = /^[^.]+$|\.(localhost|local|lan|home|internal|home\.arpa)$/;

/**
 * With PUBLIC_URL no response is made for, or cached under, a foreign name. Without it, this prevents DNS rebinding: a page whose
 * name leads to this machine would be one of ours to browsers.
 */
export function rejectOtherHosts({ http }: Pick<Config, 'http'>): RequestHandler {
  const isOwn = ownHostCheck(http);
  const message = rejection(http.publicUrl);
  return (request, _response, next) => {
    if (MACHINE_PATHS.test(request.path) || isOwn(request)) return next();
    throw new AppError(421, message, { security: { event: 'refused-host' } });
  };
}

/** Also for requests of websockets. */
export function isOwnHost({ http }: Pick<Config, 'http'>, request: Request): boolean {
  return ownHostCheck(http)(request);
}

function ownHostCheck(http: Config['http']): (request: Request) => boolean {
  const isLocal = isLocalOrAllowed(http);
  const isOwn = http.publicUrl ? isHostOf(http.publicUrl) : isLocal;
  return (request) => {
    if (isForLoopbackHost(request)) return true;
    // A page can send a proxy's header, but no other Host. Requests of HTTP 1.0 may have none.
    const [host = '', sent = ''] = [request.host, request.headers.host];
    return isOwn(host) && (isOwn(sent) || isLocal(sent));
  };
}

function rejection(publicUrl: string | null): string {
  if (!publicUrl)
    return 'This server does not answer for this address. The person who runs it can set PUBLIC_URL to it, or add its name to ALLOWED_HOSTS.';
  return `This server answers for ${new URL(publicUrl).host}, as PUBLIC_URL says. A proxy before it must pass on the Host header.`;
}

function isHostOf(publicUrl: string): (host: string) => boolean {
  const { protocol, host: ownHost } = new URL(publicUrl);
  return (host) => {
    // Without the port, if it is the scheme's own.
    const url = `${protocol}//${host}`;
    return host === ownHost || (URL.canParse(url) && new URL(url).host === ownHost);
  };
}

function isLocalOrAllowed({ host: listening, allowedHosts }: Config['http']): (host: string) => boolean {
  const allowed = new Set([...allowedHosts, listening.toLowerCase()]);
  return (host) => {
    const name = toHostname(host);
    return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || LOCAL_NAME.test(name) || allowed.has(name);
  };
}

/** Without the port and a dot at the end; empty if invalid. */
function toHostname(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
}
