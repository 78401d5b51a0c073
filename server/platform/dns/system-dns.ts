import { Resolver } from 'node:dns/promises';
import type { DnsResolver } from './dns-resolver.ts';

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** The domain name system of this machine. */
export function createSystemDns(): DnsResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return { resolve: async (name, type) => (await resolver.resolve(name, type)) as unknown[] };
}
