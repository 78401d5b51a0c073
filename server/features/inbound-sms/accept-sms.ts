import { v7 as uuidv7 } from 'uuid';
import { DISABLED_ACCOUNT } from '#shared/accounts/user';
import type { AppContext } from '../../platform/context.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { formatDay } from '../../platform/time/format-day.ts';
import { listPetsToShare } from '../pets/pet-queries.ts';
import { findUserByPhoneNumber } from '../phone-verification/phone-number-queries.ts';
import { isActive, userTimeZone, type UserRow } from '../accounts/users/user-queries.ts';
import { insertInboundMessage } from './inbound-sms-queries.ts';
import { ingestSmsJob } from './ingest-sms-job.ts';
import { parseReaction, type Reaction } from './parse-reaction.ts';
import type { IncomingSms } from './parse-sms.ts';
import { sendSmsJob } from './send-sms-job.ts';
import { parseSmsCommand } from './sms-commands.ts';
import { replyOfAsleepAlbum, replyToStranger } from './sms-replies.ts';

/** Parses the command now, with the pets and the owner of the number at this time. Idempotent. */
export async function acceptSms(context: AppContext, sms: IncomingSms): Promise<void> {
  const { config, db } = context;
  // Would reply to its own replies forever.
  if (sms.from === config.sms.phoneNumber) return;
  const reaction = sms.media.length === 0 ? parseReaction(sms.body) : null;
  const owner = await findUserByPhoneNumber(db, sms.from);
  if (reaction) {
    const isChange = reaction.isAboutPhoto && reaction.change !== null;
    if (isChange && owner && isActive(owner)) await storeSms(context, owner, sms, reaction);
    return;
  }
  if (!owner) return replyWithoutStoring(context, sms.from, replyToStranger(context.baseUrl.origin()));
  if (owner.disabledAt) return replyWithoutStoring(context, sms.from, DISABLED_ACCOUNT);
  if (owner.deletionDueAt) {
    const deletionDay = formatDay(owner.deletionDueAt, userTimeZone(owner));
    return replyWithoutStoring(context, sms.from, replyOfAsleepAlbum(deletionDay, context.baseUrl.origin()));
  }
  await storeSms(context, owner, sms);
}

/**
 * For an SMS that was received a while ago: its number may have had another owner or none. A stranger gets no reply.
 * Idempotent.
 */
export async function acceptMissedSms(
  context: AppContext,
  sms: IncomingSms,
  receivedAt: Date,
): Promise<void> {
  if (sms.from === context.config.sms.phoneNumber) return;
  const owner = await findUserByPhoneNumber(context.db, sms.from);
  const isOwners = owner?.phoneVerifiedAt && owner.phoneVerifiedAt <= receivedAt;
  if (isOwners && isActive(owner)) await storeSms(context, owner, sms);
}

async function storeSms(
  { db, clock, jobs }: AppContext,
  owner: UserRow,
  sms: IncomingSms,
  reaction: Reaction | null = null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const messageId = await insertInboundMessage(tx, {
      ownerId: owner.id,
      provider: 'twilio',
      providerMessageId: sms.sid,
      sender: sms.from,
      media: sms.media,
      createdAt: clock.now(),
      ...parseSmsCommand(sms, reaction, await listPetsToShare(tx, owner.id)),
    });
    if (messageId) await jobs.enqueue(tx, ingestSmsJob, { ownerId: owner.id, messageId });
  });
}

/** Rate limited, so that forged senders cannot make us flood a number with SMS. */
async function replyWithoutStoring(
  { db, jobs, rateLimits }: AppContext,
  phoneNumber: string,
  text: string,
): Promise<void> {
  if (!(await isWithinLimit(rateLimits.replyPerStranger, phoneNumber))) return;
  if (!(await isWithinLimit(rateLimits.replyToStrangersPerDay, 'all'))) return;
  await db.transaction((tx) => jobs.enqueue(tx, sendSmsJob, { id: uuidv7(), to: phoneNumber, text }));
}
