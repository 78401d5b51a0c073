import type { AppContext } from '../../platform/context.ts';
import { isAllowedSender } from '../users/allowed-sender-queries.ts';
import { isEmailVerified } from '../users/email-verification.ts';
import { isOwnAddress } from '../users/inbound-email-address.ts';
import type { UserRow } from '../users/user-queries.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';
import { identifySender, type EmailSender } from './sender/email-sender.ts';
import { plainAddress } from './sender/from-address.ts';

/** Who sent a mail, by the proofs that count for the way it came. */
export function identify(
  { config, dns, clock }: Pick<AppContext, 'config' | 'dns' | 'clock'>,
  { spfDomain }: Pick<InboundEmailRow, 'spfDomain'>,
  raw: Buffer,
): Promise<EmailSender> {
  // Who comes to our own receiver has had no mail server before us that could have said anything.
  const isPushed = spfDomain === null;
  const authservId = isPushed && config.inboundEmail.kind === 'open' ? config.inboundEmail.authservId : null;
  return identifySender({ raw, spfDomain, authservId, now: clock.now() }, dns);
}

/** Whether mail that is proven to be from this address comes in at once. */
export async function isKnownAddress(
  { config, db, mailer }: Pick<AppContext, 'config' | 'db' | 'mailer'>,
  owner: UserRow,
  address: string | null,
): Promise<boolean> {
  if (!address || isOwnAddress(config, address)) return false;
  const isOwner = address === plainAddress(owner.email) && isEmailVerified({ mailer }, owner);
  return isOwner || isAllowedSender(db, owner.id, address);
}
