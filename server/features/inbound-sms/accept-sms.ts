import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { ingestMmsJobDefinition, sendTextJobDefinition } from '../job-catalogue.ts';
import { listPetsToShare } from '../pets/pet-queries.ts';
import { findUserByPhoneNumber } from '../phone-verification/phone-number-queries.ts';
import { insertInboundMessage, type NewInboundMessage } from './inbound-sms-queries.ts';
import { replyToStranger } from './sms-replies.ts';
import { saysUndo, type IncomingMms } from './parse-sms.ts';
import { parsePetName, parseStory } from '../memories/parse-caption.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'baseUrl' | 'rateLimits'>;

/**
 * Takes a text in, once however often it comes: what it says is fixed here, by the pets that there are now; its job does
 * the rest. It is its owner's who has the number now, and stays theirs when the number moves on.
 */
export async function acceptMms(context: Context, mms: IncomingMms): Promise<void> {
  const { config, db, clock, jobs } = context;
  // Two numbers of ours would thank each other for ever.
  if (mms.from === config.sms.phoneNumber) return;
  const owner = await findUserByPhoneNumber(db, mms.from);
  if (!owner) return answerStranger(context, mms.from);
  await db.transaction(async (tx) => {
    const messageId = await insertInboundMessage(tx, {
      ownerId: owner.id,
      provider: 'twilio',
      providerMessageId: mms.sid,
      sender: mms.from,
      media: mms.media,
      createdAt: clock.now(),
      ...(await understand(tx, owner.id, mms)),
    });
    if (messageId) await jobs.enqueue(tx, ingestMmsJobDefinition, { ownerId: owner.id, messageId });
  });
}

async function understand(
  tx: Tx,
  ownerId: string,
  { words, media }: IncomingMms,
): Promise<Pick<NewInboundMessage, 'kind' | 'petId' | 'caption'>> {
  if (media.length === 0 && saysUndo(words)) return { kind: 'undo', petId: null, caption: null };
  const pets = await listPetsToShare(tx, ownerId);
  if (media.length > 0) {
    const { pet, caption } = parseStory(words, pets);
    return { kind: 'photos', petId: pet?.id ?? null, caption };
  }
  const pet = parsePetName(words, pets);
  return { kind: pet ? 'move' : 'words', petId: pet?.id ?? null, caption: null };
}

/** So rarely that nobody can have us text a number again and again; and nothing else comes of it. */
async function answerStranger(
  { db, jobs, baseUrl, rateLimits }: Context,
  phoneNumber: string,
): Promise<void> {
  try {
    await rateLimits.replyPerStranger.consume(phoneNumber);
    await rateLimits.replyToStrangersPerDay.consume('all');
  } catch (error) {
    if (error instanceof TooManyRequestsError) return;
    throw error;
  }
  const text = replyToStranger(baseUrl.origin());
  await db.transaction((tx) =>
    jobs.enqueue(tx, sendTextJobDefinition, { id: uuidv7(), to: phoneNumber, text }),
  );
}
