import { createHash } from 'node:crypto';
import type { AppContext } from '../../platform/context.ts';
import type { EmailOutcome } from '../../platform/db/schema/inbound-emails.ts';
import { listPets } from '../pets/pet-queries.ts';
import { type UserRow, userTimeZone } from '../users/user-queries.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';
import { dropPrefixes } from './email-body.ts';
import { ingestPhoto } from '../uploads/ingest-photo.ts';
import { claimPhoto, disclaimPhoto, insertMessageOfEmail } from './email-photo-queries.ts';
import type { ParsedEmail } from './parse-email.ts';
import { parsePetName, parseStory } from '../memories/parse-caption.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;

/**
 * Makes the photos of a mail memories, each by itself: one that is none keeps no other from becoming one. Run again, it
 * goes on where it was.
 * @throws when some have to be tried again
 */
export async function addMailedPhotos(
  context: Context,
  owner: UserRow,
  { email, parsed }: { email: InboundEmailRow; parsed: ParsedEmail },
): Promise<EmailOutcome> {
  const pets = await listPets(context.db, owner.id);
  const subject = dropPrefixes(parsed.subject, (word) => parsePetName(word, pets) !== null);
  const { pet, caption } = parseStory(subject || parsed.firstLine, pets);
  await insertMessageOfEmail(context.db, {
    ownerId: owner.id,
    id: email.id,
    sender: email.sender ?? '',
    petId: pet?.id ?? null,
    caption,
    createdAt: email.createdAt,
  });
  const outcome: EmailOutcome = {
    petName: pet?.name ?? null,
    added: 0,
    repeated: 0,
    refusals: [],
    leftOut: parsed.leftOut,
    otherFiles: parsed.otherFiles,
    isEncrypted: parsed.isEncrypted,
  };
  for (const [position, photo] of parsed.photos.entries()) {
    const sha256 = createHash('sha256').update(photo.bytes).digest('hex');
    const key = { ownerId: owner.id, sha256, emailId: email.id };
    const claim = await claimPhoto(context.db, { ...key, isEmbedded: photo.isEmbedded });
    if (claim === 'repeated') outcome.repeated++;
    if (claim !== 'claimed') continue;
    const came = await ingestPhoto(context, {
      ownerId: owner.id,
      inboundMessageId: email.id,
      position,
      story: { source: 'email', timeZone: userTimeZone(owner), petId: pet?.id ?? null, caption },
      read: () => Promise.resolve(photo.bytes),
    });
    if (came.status === 'added') outcome.added++;
    else {
      outcome.refusals.push(came.message);
      await disclaimPhoto(context.db, key);
    }
  }
  return outcome;
}
