import type { Config } from '../../platform/config/config.ts';
import { InvalidError } from '../../platform/errors.ts';
import type { UserRow } from './user-queries.ts';

/** The user's address for emailing photos in; null while inbound email is off. */
export function toInboundEmailAddress(
  { inboundMail }: Pick<Config, 'inboundMail'>,
  { inboundToken }: Pick<UserRow, 'inboundToken'>,
): string | null {
  return inboundMail.kind === 'off' ? null : `${inboundToken}@${inboundMail.domain}`;
}

/** The local part without a `+suffix`; null for an address outside our inbound domain. */
export function parseInboundToken(
  { inboundMail }: Pick<Config, 'inboundMail'>,
  address: string,
): string | null {
  if (inboundMail.kind === 'off') return null;
  const [, token, domain] = /^<?([0-9a-z]{1,64})(?:\+[^@\s]*)?@([^@\s>]+)>?$/i.exec(address.trim()) ?? [];
  return token && domain?.toLowerCase() === inboundMail.domain ? token.toLowerCase() : null;
}

/** Our sender addresses and all inbound addresses. People do not write from them, and replies to them would loop. */
export function isInstallationAddress(
  { mail, inboundMail }: Pick<Config, 'mail' | 'inboundMail'>,
  address: string,
): boolean {
  const plain = address.toLowerCase();
  const { sender } = mail;
  if ([sender.address, sender.envelopeAddress].some((own) => own.toLowerCase() === plain)) return true;
  return inboundMail.kind !== 'off' && plain.endsWith(`@${inboundMail.domain}`);
}

/** @throws InvalidError that names `field` for an address of this installation */
export function rejectInstallationAddress(
  config: Pick<Config, 'mail' | 'inboundMail'>,
  address: string,
  field: string,
): void {
  if (!isInstallationAddress(config, address)) return;
  const message = `${address} belongs to Mems Are Forever and can’t be allowed to send.`;
  throw new InvalidError(message, { [field]: message });
}
