import { isIP } from 'node:net';
import type { Request } from 'express';

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a reverse proxy passed this request on. One that adds no header shows by HTTP/1.0, or by the page's origin. */
export function isForwarded(request: Pick<Request, 'headers' | 'httpVersion' | 'socket'>): boolean {
  return hasForwardingHeader(request) || request.httpVersion === '1.0' || isFromForeignPage(request);
}

function hasForwardingHeader({ headers }: Pick<Request, 'headers'>): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}

/** Browsers send the origin with each change. In a home network it is this machine's address, as the Host header is. */
function isFromForeignPage({ headers, socket }: Pick<Request, 'headers' | 'socket'>): boolean {
  const { origin, host } = headers;
  if (!origin || !URL.canParse(origin) || isLoopbackOrigin(origin)) return false;
  return isLoopbackAddress(socket.remoteAddress ?? '') || new URL(origin).host !== host;
}

/** Behind a local proxy every request seems to come from this machine; a foreign Host means DNS rebinding. */
export function isFromThisMachine(request: Request): boolean {
  return !isForwarded(request) && isForLoopbackHost(request);
}

/** Also true for a proxy on this machine that neither passes the host on nor shows itself by a header. */
export function isForLoopbackHost(request: Request): boolean {
  return (
    !hasForwardingHeader(request) &&
    isLoopbackAddress(request.socket.remoteAddress ?? '') &&
    isLoopbackOrigin(`http://${request.headers.host ?? ''}`)
  );
}

export function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
