import { Resolver } from 'node:dns/promises';

/** Finds the DNS records that say who may send email for a domain. */
export type DnsResolver = {
  /** Results and errors are those of Node's `resolve`: `ENOTFOUND`, `ENODATA`, `ETIMEOUT`, … */
  resolve(name: string, type: string): Promise<unknown[]>;
};

const TIMEOUT_MS = 3_000;
const ATTEMPTS = 2;

export function createSystemDns(): DnsResolver {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: ATTEMPTS });
  return { resolve: async (name, type) => (await resolver.resolve(name, type)) as unknown[] };
}

/** Knows only this installation's DKIM key, for every domain: the dev outbox signs test emails with it. */
export function createLocalKeyDns(key: { selector: string; record: string }): DnsResolver {
  return {
    resolve(name, type) {
      const isKnown = type === 'TXT' && name.startsWith(`${key.selector}._domainkey.`);
      if (isKnown) return Promise.resolve([[key.record]]);
      return Promise.reject(Object.assign(new Error(`${name} is not a local record`), { code: 'ENOTFOUND' }));
    },
  };
}
