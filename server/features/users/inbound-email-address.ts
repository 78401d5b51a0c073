import type { Config } from '../../platform/config/config.ts';
import { InvalidError } from '../../platform/errors.ts';
import type { UserRow } from './user-queries.ts';

/** An account's own address for photos; null while no mail comes in. */
export function inboundAddressOf(
  { inboundEmail }: Pick<Config, 'inboundEmail'>,
  { inboundToken }: Pick<UserRow, 'inboundToken'>,
): string | null {
  return inboundEmail.kind === 'off' ? null : `${inboundToken}@${inboundEmail.domain}`;
}

/** What stands before the @ of an address of ours, without what its sender added after a plus; null for another's. */
export function inboundTokenOf(
  { inboundEmail }: Pick<Config, 'inboundEmail'>,
  address: string,
): string | null {
  if (inboundEmail.kind === 'off') return null;
  const [, token, domain] = /^<?([0-9a-z]{1,64})(?:\+[^@\s]*)?@([^@\s>]+)>?$/i.exec(address.trim()) ?? [];
  return token && domain?.toLowerCase() === inboundEmail.domain ? token.toLowerCase() : null;
}

/** Whether it is this installation's own, the accounts' included: nobody writes from there, and an answer would come back. */
export function isOwnAddress(
  { email, inboundEmail }: Pick<Config, 'email' | 'inboundEmail'>,
  address: string,
): boolean {
  const plain = address.toLowerCase();
  const { sender } = email;
  if ([sender.address, sender.envelopeAddress].some((own) => own.toLowerCase() === plain)) return true;
  return inboundEmail.kind !== 'off' && plain.endsWith(`@${inboundEmail.domain}`);
}

/** @param field what the address was told in. @throws InvalidError when it is this installation's own */
export function refuseOwnAddress(
  config: Pick<Config, 'email' | 'inboundEmail'>,
  address: string,
  field: string,
): void {
  if (!isOwnAddress(config, address)) return;
  const message = `${address} belongs to Mems Are Forever and can’t be allowed to send.`;
  throw new InvalidError(message, { [field]: message });
}
