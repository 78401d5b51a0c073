import { Socket } from 'node:net';

/** Tests may connect to loopback only. Any other host is an error. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/;

type Target = { host?: string; path?: string; port?: number };

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its socket below
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const first = Array.isArray(args[0]) ? (args[0][0] as unknown) : args[0];
  const target: Target = typeof first === 'object' && first !== null ? first : {};
  const host = target.host ?? (typeof args[1] === 'string' ? args[1] : undefined);
  if (!target.path && host && !LOOPBACK.test(host)) {
    throw new Error(`A test tried to reach ${host}: only loopback is allowed`);
  }
  return connect.apply(this, args as Parameters<typeof connect>);
};
