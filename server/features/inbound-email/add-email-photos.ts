import { createHash } from 'node:crypto';
import type { AppContext } from '../../platform/context.ts';
import type { EmailOutcome } from '../../platform/db/schema/transfers/inbound-emails.ts';
import { DecodeTimeoutError } from '../../platform/errors.ts';
import { type UserRow, userTimeZone } from '../accounts/users/user-queries.ts';
import { listPets } from '../pets/pet-queries.ts';
import { ingestPhoto } from '../uploads/ingest-photo.ts';
import { claimPhoto, insertMessageOfEmail, releasePhoto } from './email-photo-queries.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';
import { parseEmailCaption } from './parse/email-caption.ts';
import type { ParsedEmail } from './parse/parse-email.ts';

/** Idempotent. A broken photo does not affect the others. @throws when some should be retried, after a DecodeTimeoutError in ten minutes */
export async function addEmailPhotos(
  context: AppContext,
  owner: UserRow,
  { email, parsed }: { email: InboundEmailRow; parsed: ParsedEmail },
): Promise<EmailOutcome> {
  const pets = await listPets(context.db, owner.id);
  const { petId, emailContacts = true } = email.acceptOptions ?? {};
  const parsedCaption = parseEmailCaption(parsed, pets);
  const { caption } = parsedCaption;
  const pet = petId === undefined ? parsedCaption.pet : (pets.find(({ id }) => id === petId) ?? null);
  await insertMessageOfEmail(context.db, {
    ownerId: owner.id,
    id: email.id,
    sender: email.sender ?? '',
    petId: pet?.id ?? null,
    caption,
    createdAt: email.createdAt,
  });
  const outcome: EmailOutcome & { logos: number } = {
    petName: pet?.name ?? null,
    added: 0,
    repeated: 0,
    rejections: [],
    leftOut: parsed.leftOut,
    logos: parsed.logos,
    otherFiles: parsed.otherFiles,
    isEncrypted: parsed.isEncrypted,
  };
  let timeout: DecodeTimeoutError | null = null;
  for (const [position, photo] of parsed.photos.entries()) {
    const sha256 = createHash('sha256').update(photo.bytes).digest('hex');
    const key = { ownerId: owner.id, sha256, emailId: email.id };
    const claim = await claimPhoto(context.db, { ...key, isEmbedded: photo.isEmbedded });
    if (claim === 'duplicate') outcome.repeated++;
    if (claim === 'signature') outcome.logos++;
    if (claim !== 'claimed') continue;
    const result = await ingestPhoto(context, {
      ownerId: owner.id,
      inboundMessageId: email.id,
      position,
      attempts: email.attempts,
      details: {
        source: 'email',
        timeZone: userTimeZone(owner),
        petId: pet?.id ?? null,
        caption,
        isSilent: !emailContacts,
        fileName: photo.fileName,
      },
      read: () => Promise.resolve(photo.bytes),
    }).catch(toTimeout);
    if (result instanceof DecodeTimeoutError) timeout = result;
    else if (result.kind === 'completed' && result.before === 'album') outcome.repeated++;
    else if (result.kind === 'completed') outcome.added++;
    else {
      outcome.rejections.push(result.reason);
      await releasePhoto(context.db, key);
    }
  }
  if (timeout) throw timeout;
  return outcome;
}

function toTimeout(error: unknown): DecodeTimeoutError {
  if (error instanceof DecodeTimeoutError) return error;
  throw error;
}
