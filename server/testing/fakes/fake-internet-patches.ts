import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { BlockList, isIP, Socket, type TcpNetConnectOpts } from 'node:net';
import tls from 'node:tls';

/** Where connections of this process go instead of the internet. */
export type Route = {
  /** The addresses of a host name; none if it does not exist. */
  resolve(host: string): Promise<string[]>;
  /** Ports on 127.0.0.1 of the stand-ins for ports 80 and 443. */
  httpPort: number;
  tlsPort: number;
  /** The only authority that this process trusts, as PEM. */
  certificate: string;
  onConnect?(connection: { host: string; address: string; port: number }): void;
};

/** Public addresses, for guards against SSRF. */
export const PUBLIC_PREFIX = '93.184.215.';
const PUBLIC = new BlockList();
PUBLIC.addSubnet(`${PUBLIC_PREFIX}0`, 24);
PUBLIC.addSubnet('2606:2800:21f::', 48, 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('0.0.0.0');
LOOPBACK.addAddress('::', 'ipv6');
LOOPBACK.addAddress('::1', 'ipv6');

let route: Route | null = null;

/** Null ends it. */
export function routeConnections(next: Route | null): void {
  if (next && route) throw new Error('This process already has a fake internet. Close it first.');
  route = next;
}

type ConnectOptions = TcpNetConnectOpts & { path?: string };

const has = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

const systemLookup = dns.lookup;
dns.lookup = ((host: string, ...rest: unknown[]) => {
  const done = rest.pop() as (error: Error | null, found?: unknown, family?: number) => void;
  const options = (typeof rest[0] === 'number' ? { family: rest[0] } : (rest[0] ?? {})) as LookupOptions;
  const name = host.toLowerCase().replace(/\.$/, '');
  // getaddrinfo also reads addresses like 0x7f.1, without asking a server.
  if (!route || isIP(name) || /^[\da-fx.]*\d$/.test(name)) return systemLookup(host, options, done);
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  void (isLocal ? Promise.resolve(['127.0.0.1']) : route.resolve(name)).then((addresses) => {
    const found: LookupAddress[] = addresses
      .map((address) => ({ address, family: isIP(address) }))
      .filter(({ family }) => !options.family || family === Number(String(options.family).slice(-1)));
    const [first] = found;
    if (!first) return done(failure('ENOTFOUND', 'getaddrinfo', host));
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
}) as typeof dns.lookup;

// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its socket below
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first, ...rest] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const options = (typeof first === 'object' ? first : { port: first, host: rest[0] }) as ConnectOptions;
  const current = route;
  // Agents set an undefined path.
  if (!current || options.path || typeof options.host !== 'string')
    return connect.apply(this, args as Parameters<typeof connect>);
  const { host } = options;
  const port = Number(options.port);
  const onConnect = rest.find((each) => typeof each === 'function') as (() => void) | undefined;

  const connectTo = (address: string) => {
    current.onConnect?.({ host, address, port });
    const target = loopbackTarget(current, address, port);
    if (!target) return void this.destroy(failure('EHOSTUNREACH', 'connect', `${address}:${port}`));
    Object.defineProperty(this, 'remoteAddress', { value: address, configurable: true });
    connect.apply(this, [{ ...options, ...target, lookup: undefined }] as never);
  };

  if (onConnect) this.once('connect', onConnect);
  // Also while the name is resolved: else writes would fail.
  Object.assign(this, { connecting: true });
  if (isIP(host)) process.nextTick(() => void (this.destroyed || connectTo(host)));
  else {
    const lookup = ('lookup' in options && options.lookup) || dns.lookup;
    lookup(
      host,
      { family: options.family ?? 0, hints: options.hints ?? 0, all: true },
      (error, found, family) => {
        const first = Array.isArray(found) ? found[0] : { address: found, family };
        this.emit('lookup', error, first?.address, first?.family, host);
        if (this.destroyed) return;
        if (error) this.destroy(error);
        else if (first) connectTo(first.address);
      },
    );
  }
  return this;
};

function loopbackTarget(current: Route, address: string, port: number) {
  if (has(LOOPBACK, address)) return { host: isIP(address) === 6 ? '::1' : '127.0.0.1', port };
  if (!has(PUBLIC, address)) return null;
  if (port === 443) return { host: '127.0.0.1', port: current.tlsPort };
  if (port === 80) return { host: '127.0.0.1', port: current.httpPort };
  return null;
}

const createSecureContext = tls.createSecureContext;
tls.createSecureContext = (options) =>
  createSecureContext(route ? { ...options, ca: options?.ca ?? route.certificate } : options);

// For imports by name.
syncBuiltinESMExports();

function failure(code: string, syscall: string, target: string): Error {
  return Object.assign(new Error(`${syscall} ${code} ${target}`), { code, syscall, hostname: target });
}
