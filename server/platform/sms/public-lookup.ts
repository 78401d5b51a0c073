import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { MediaRefusedError } from './media-source.ts';

/**
 * Finds a host's addresses, and refuses it when one of them is not of the public internet: this machine, its network,
 * the cloud's own services. A socket connects to just the addresses that were looked at here, so that a name cannot
 * lead elsewhere in between.
 */
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

/** An IPv4 address within an IPv6 one is taken for what it is; other ways to write one within count as not public. */
export function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

function refuse(host: string, address = 'no address'): MediaRefusedError {
  return new MediaRefusedError('forbiddenAddress', `${host} leads to ${address}, which is not public`);
}
