import type { Config } from '../../../platform/config/config.ts';
import { InvalidError } from '../../../platform/errors.ts';
import type { UserRow } from './user-queries.ts';

export function toInboundEmailAddress(
  { inboundEmail }: Pick<Config, 'inboundEmail'>,
  { inboundToken }: Pick<UserRow, 'inboundToken'>,
): string | null {
  return inboundEmail.kind === 'off' ? null : `${inboundToken}@${inboundEmail.domain}`;
}

/** The local part without a `+suffix`; null for an address outside our inbound domain. */
export function parseInboundToken(
  { inboundEmail }: Pick<Config, 'inboundEmail'>,
  address: string,
): string | null {
  if (inboundEmail.kind === 'off') return null;
  const [, token, domain] = /^<?([0-9a-z]{1,64})(?:\+[^@\s]*)?@([^@\s>]+)>?$/i.exec(address.trim()) ?? [];
  return token && domain?.toLowerCase() === inboundEmail.domain ? token.toLowerCase() : null;
}

/** Our sender addresses and all inbound addresses. People do not write from them, and replies to them would loop. */
export function isInstallationAddress(
  { email, inboundEmail }: Pick<Config, 'email' | 'inboundEmail'>,
  address: string,
): boolean {
  const plain = address.toLowerCase();
  const { sender } = email;
  if ([sender.address, sender.envelopeAddress].some((own) => own.toLowerCase() === plain)) return true;
  return inboundEmail.kind !== 'off' && plain.endsWith(`@${inboundEmail.domain}`);
}

export function rejectInstallationAddress(
  config: Pick<Config, 'email' | 'inboundEmail'>,
  address: string,
  field: string,
): void {
  if (!isInstallationAddress(config, address)) return;
  const message = `${address} belongs to Mems Are Forever and can’t be allowed to send.`;
  throw new InvalidError(message, { [field]: message });
}
