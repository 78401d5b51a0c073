import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** The host leads into a private network. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** Prevents SSRF. The socket connects to the addresses checked here, so DNS rebinding has no effect. */
export function publicLookup(
  lookup: LookupFunction = systemLookup,
  interfaces = networkInterfaces,
): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      const own = interfaces();
      const forbidden = addresses.find(({ address }) => !isPublic(address, own));
      if (!first || forbidden) return done(reject(host, forbidden?.address), '');
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/** All of IPv6 that is assigned to the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 9637, for examples. */
const DOCUMENTATION = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * Unwraps IPv4-mapped IPv6 addresses. Other embeddings of IPv4 count as not public, and so do this machine's own networks: in
 * a home all devices have global IPv6 addresses.
 */
export function isPublic(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || isIn(parsed, ownNetworks(interfaces))) return false;
  return parsed.kind() === 'ipv4' || (isIn(parsed, [GLOBAL_UNICAST]) && !isIn(parsed, [DOCUMENTATION]));
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

function ownNetworks(interfaces: Interfaces): Network[] {
  const infos = Object.values(interfaces).flatMap((each) => each ?? []);
  return infos.flatMap(({ cidr }) => (cidr && ipaddr.isValidCIDR(cidr) ? [ipaddr.parseCIDR(cidr)] : []));
}

function reject(host: string, address = 'no address'): ForbiddenAddressError {
  return new ForbiddenAddressError(`${host} leads to ${address}, which is not public`);
}
