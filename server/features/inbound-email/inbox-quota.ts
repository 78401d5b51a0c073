import PQueue from 'p-queue';
import type { AppContext } from '../../platform/context.ts';
import { findUser } from '../users/user-queries.ts';
import { isReceivedBefore } from './inbound-email-queries.ts';
import { countUndecidedEmails } from './held-message-queries.ts';
import { identify, isKnownAddress } from './known-sender.ts';

/** What strangers may make an owner keep. */
const MOST_WAITING = { mails: 50, bytes: 256 * 1024 * 1024 };

/** Each may be 40 MB. */
const identifying = new PQueue({ concurrency: 1 });

/** A mail whose bytes are whole, and what is known of it so far. */
export type ArrivedEmail = {
  ownerId: string;
  byteSize: number;
  sha256: string;
  /** The address in From: its sender's own word. */
  from: string | null;
  spfDomain: string | null;
  read: () => Promise<Buffer | null>;
};

/**
 * Whether it may be taken in now. When so much waits for its owner's OK that strangers have to come back later, those
 * whose mail does not wait are let in all the same.
 */
export async function mayComeIn(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'dns' | 'mailer'>,
  email: ArrivedEmail,
): Promise<boolean> {
  const { ownerId, byteSize, sha256 } = email;
  const { mails, bytes } = await countUndecidedEmails(context.db, ownerId);
  if (mails < MOST_WAITING.mails && bytes + byteSize <= MOST_WAITING.bytes) return true;
  return (await isReceivedBefore(context.db, ownerId, sha256)) || isFromKnownSender(context, email);
}

/** Nobody is asked for proof of an address that would have to wait anyway. */
async function isFromKnownSender(
  context: Parameters<typeof mayComeIn>[0],
  { ownerId, from, read, ...email }: ArrivedEmail,
): Promise<boolean> {
  const owner = await findUser(context.db, ownerId);
  if (!owner || !(await isKnownAddress(context, owner, from))) return false;
  return identifying.add(async () => {
    const raw = await read();
    const sender = raw && (await identify(context, email, raw));
    return sender?.address === from && sender.proof === 'proven';
  });
}
