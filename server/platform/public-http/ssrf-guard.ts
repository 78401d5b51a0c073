import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The host leads into a private network. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** Prevents SSRF. The socket connects to the addresses checked here, so DNS rebinding has no effect. */
export function publicLookup(lookup: LookupFunction = systemLookup): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      const forbidden = addresses.find(({ address }) => !isPublic(address));
      if (!first || forbidden) return done(refuse(host, forbidden?.address), '');
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
}

/** Unwraps IPv4-mapped IPv6 addresses. Other embeddings of IPv4 count as not public. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function refuse(host: string, address = 'no address'): ForbiddenAddressError {
  return new ForbiddenAddressError(`${host} leads to ${address}, which is not public`);
}
