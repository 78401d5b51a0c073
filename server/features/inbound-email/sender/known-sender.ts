import type { AppContext } from '../../../platform/context.ts';
import { isAllowedSender } from './allowed-sender-queries.ts';
import { isEmailVerified } from '../../accounts/users/user-queries.ts';
import { isInstallationAddress } from '../../accounts/users/inbound-email-address.ts';
import type { UserRow } from '../../accounts/users/user-queries.ts';
import type { InboundEmailRow } from '../inbound-email-queries.ts';
import { verifySender, type EmailSender } from './email-sender.ts';
import { toPlainAddress } from './from-address.ts';

export function identifySender(
  { config, dns, clock }: Pick<AppContext, 'config' | 'dns' | 'clock'>,
  { spfDomain }: Pick<InboundEmailRow, 'spfDomain'>,
  raw: Buffer,
): Promise<EmailSender> {
  // Authentication-Results can be trusted only if a mail server of ours was in between, not with our own SMTP receiver.
  const isPushed = spfDomain === null;
  const authservId = isPushed && config.inboundEmail.kind === 'open' ? config.inboundEmail.authservId : null;
  return verifySender({ raw, spfDomain, authservId, now: clock.now() }, dns);
}

/** Whether photos from this address, once it is verified, are added without asking the owner. */
export async function isKnownAddress(
  { config, db, mailer }: Pick<AppContext, 'config' | 'db' | 'mailer'>,
  owner: UserRow,
  address: string | null,
): Promise<boolean> {
  if (!address || isInstallationAddress(config, address)) return false;
  const isOwner = address === toPlainAddress(owner.email) && isEmailVerified({ mailer }, owner);
  return isOwner || isAllowedSender(db, owner.id, address);
}
