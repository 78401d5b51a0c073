import { isIP } from 'node:net';
import type { Request } from 'express';

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a reverse proxy passed this request on. */
export function isForwarded({ headers }: Pick<Request, 'headers'>): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}

/** Behind a local proxy every request seems to come from this machine; a foreign Host means DNS rebinding. */
export function isFromThisMachine(request: Request): boolean {
  return (
    !isForwarded(request) &&
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
