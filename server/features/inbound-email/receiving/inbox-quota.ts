import PQueue from 'p-queue';
import type { AppContext } from '../../../platform/context.ts';
import { findUser } from '../../accounts/users/user-queries.ts';
import { countUndecidedEmails } from '../held-messages/held-message-queries.ts';
import { GMAIL_FORWARDING_SENDER } from '../forwarding/forwarding-requests.ts';
import { isReceivedBefore } from '../inbound-email-queries.ts';
import { identifySender, isKnownAddress } from '../sender/known-sender.ts';

/** Of email from unknown senders, per account. Beyond it they get 429 (SMTP 450); known senders are unaffected. */
const MAX_HELD = { emails: 50, bytes: 256 * 1024 * 1024 };

/** One at a time: each reads up to 40 MB into memory. */
const identifying = new PQueue({ concurrency: 1 });

type ArrivedEmail = {
  ownerId: string;
  byteSize: number;
  sha256: string;
  /** The address in From, not verified. */
  from: string | null;
  spfDomain: string | null;
  read: () => Promise<Buffer | null>;
};

/** Whether the account has room for it, or does not need any: it is a duplicate, or its sender is known. */
export async function canAcceptEmail(context: AppContext, email: ArrivedEmail): Promise<boolean> {
  const { ownerId, byteSize, sha256 } = email;
  const { emails, bytes } = await countUndecidedEmails(context.db, ownerId);
  if (emails < MAX_HELD.emails && bytes + byteSize <= MAX_HELD.bytes) return true;
  return (await isReceivedBefore(context.db, ownerId, sha256)) || isFromKnownSender(context, email);
}

/** Verifies only a known address, since that takes DNS queries. */
async function isFromKnownSender(
  context: AppContext,
  { ownerId, from, read, ...email }: ArrivedEmail,
): Promise<boolean> {
  const owner = await findUser(context.db, ownerId);
  const isExpected =
    from === GMAIL_FORWARDING_SENDER || (owner && (await isKnownAddress(context, owner, from)));
  if (!isExpected) return false;
  return identifying.add(async () => {
    const raw = await read();
    const sender = raw && (await identifySender(context, email, raw));
    return sender?.address === from && sender.authentication === 'authenticated';
  });
}
