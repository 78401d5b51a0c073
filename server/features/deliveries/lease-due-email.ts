import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sendMailsJobDefinition } from '../job-catalogue.ts';
import { claimLink, type PublicLinkRow } from '../shares/share-queries.ts';
import { isEmailVerified } from '../users/email-verification.ts';
import { getAddressee, type Addressee } from './recipient-queries.ts';
import { releaseDeleted } from './delivery-queries.ts';
import {
  countLeased,
  deleteMail,
  leaseMail,
  listSentSince,
  lockDueMail,
  lockSending,
  updateMail,
  type Exclusions,
  type MailRow,
} from './email-queries.ts';
import { listMailedMemories, type MailedMemory } from './email-content-queries.ts';
import { nextTry } from './next-attempt.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long the mail of a process that died waits; a living one extends its leases far sooner. */
export const LEASE_MS = 30_000;

export type LinkedMemory = MailedMemory & { link: PublicLinkRow };
/** A mail that this process sends now, with all that the database says about it. */
export type LeasedMail = { mail: MailRow; addressee: Addressee; memories: LinkedMemory[] };

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'logger' | 'mailer'>;

/**
 * Leases the next mail that may go out, in one short transaction, or decides that it does not go out now. Whether
 * someone still wants it, and which of its photos are still there, is asked at this moment. Null: nothing is due.
 */
export async function leaseDueMail(
  context: Context,
  excluded: Exclusions,
): Promise<LeasedMail | 'not-now' | null> {
  const { db, clock, logger } = context;
  let due: MailRow | null = null;
  try {
    return await db.transaction(async (tx) => {
      due = await lockDueMail(tx, clock.now(), excluded);
      return due && ((await leaseIfWanted(context, tx, due)) ?? 'not-now');
    });
  } catch (error) {
    const mail = due as MailRow | null;
    if (!mail) throw error;
    // One that cannot be leased must not keep the others from going out.
    logger.error({ err: error, mailId: mail.id }, 'A mail could not be prepared');
    const tried = { ...mail, tries: mail.tries + 1 };
    await db.transaction((tx) =>
      updateMail(tx, mail.id, { tries: tried.tries, ...nextTry(tried, clock.now()) }),
    );
    return 'not-now';
  }
}

async function leaseIfWanted(context: Context, tx: Tx, mail: MailRow): Promise<LeasedMail | null> {
  const addressee = await getAddressee(tx, mail.ownerId, mail.contactId);
  if (!addressee.isWanted) {
    await updateMail(tx, mail.id, { status: 'cancelled' });
    return null;
  }
  if (await isHeldBack(context, tx, mail, addressee)) return null;
  await releaseDeleted(tx, mail.id);
  const memories = mail.kind === 'welcome' ? [] : await linkMemories(context, tx, mail);
  if (mail.kind !== 'welcome' && memories.length === 0) {
    // Nothing is left to say: should a photo come back, it is owed again.
    await deleteMail(tx, mail.id);
    return null;
  }
  const { jobs, clock } = context;
  // Should this process die, the mail is looked for as soon as its lease is over.
  await jobs.enqueue(tx, sendMailsJobDefinition, {}, { delaySeconds: LEASE_MS / 1000 + 1 });
  const now = clock.now();
  const leased = await leaseMail(tx, mail, { now, expiresAt: new Date(now.getTime() + LEASE_MS) });
  return { mail: leased, addressee, memories };
}

async function linkMemories({ clock }: Context, tx: Tx, mail: MailRow): Promise<LinkedMemory[]> {
  const { id, ownerId, contactId } = mail;
  const linked: LinkedMemory[] = [];
  for (const memory of await listMailedMemories(tx, ownerId, id)) {
    const link = await claimLink(tx, { ownerId, memoryId: memory.id, contactId, createdAt: clock.now() });
    linked.push({ ...memory, link });
  }
  return linked;
}

/** Until the owner's address is verified, and while they have sent so many within an hour: nothing is lost. */
async function isHeldBack(
  { config, clock, mailer }: Context,
  tx: Tx,
  { id, ownerId }: MailRow,
  { owner }: Addressee,
): Promise<boolean> {
  const now = clock.now();
  const holdBackFor = async (ms: number) => {
    await updateMail(tx, id, { tryAt: new Date(now.getTime() + ms) });
    return true;
  };
  if (!isEmailVerified({ mailer }, owner)) return holdBackFor(DAY_MS);
  await lockSending(tx, ownerId);
  // What is being sent counts as sent.
  const free = config.limits.emailsPerHourAndUser - (await countLeased(tx, ownerId, now));
  if (free <= 0) return holdBackFor(MINUTE_MS);
  const sent = await listSentSince(tx, ownerId, new Date(now.getTime() - HOUR_MS));
  const freedBy = sent.at(-free);
  return freedBy ? holdBackFor(freedBy.getTime() + HOUR_MS + 1 - now.getTime()) : false;
}
