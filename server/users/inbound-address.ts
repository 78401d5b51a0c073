import type { Config } from '../config.ts';
import type { UserRow } from './user-queries.ts';

/** An account's own address for photos; null while no mail comes in. */
export function inboundAddressOf(
  { inboundMail }: Pick<Config, 'inboundMail'>,
  { inboundToken }: Pick<UserRow, 'inboundToken'>,
): string | null {
  return inboundMail.kind === 'off' ? null : `${inboundToken}@${inboundMail.domain}`;
}

/** What stands before the @ of an address of ours, without what its sender added after a plus; null for another's. */
export function inboundTokenOf({ inboundMail }: Pick<Config, 'inboundMail'>, address: string): string | null {
  if (inboundMail.kind === 'off') return null;
  const [, token, domain] = /^<?([0-9a-z]{1,64})(?:\+[^@\s]*)?@([^@\s>]+)>?$/i.exec(address.trim()) ?? [];
  return token && domain?.toLowerCase() === inboundMail.domain ? token.toLowerCase() : null;
}
