import type { DnsResolver } from './dns-resolver.ts';

/** Knows this installation's own key, as any domain's, and nothing else: no mail comes from elsewhere. */
export function createLocalKeyDns(key: { selector: string; record: string }): DnsResolver {
  return {
    resolve(name, type) {
      const isKnown = type === 'TXT' && name.startsWith(`${key.selector}._domainkey.`);
      if (isKnown) return Promise.resolve([[key.record]]);
      return Promise.reject(Object.assign(new Error(`${name} is not asked for`), { code: 'ENOTFOUND' }));
    },
  };
}
