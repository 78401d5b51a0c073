import { and, eq, exists, ne, sql } from 'drizzle-orm';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { inboundEmails, emailPhotos } from '../../platform/db/schema/transfers/inbound-emails.ts';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';

type InboundMessageRow = typeof inboundMessages.$inferSelect;

/** Inserts the inbound message to which its photos' uploads belong, as with SMS, under the id of the email. */
export async function insertMessageOfEmail(
  db: Db,
  email: Pick<InboundMessageRow, 'ownerId' | 'id' | 'sender' | 'petId' | 'caption' | 'createdAt'>,
): Promise<void> {
  await db
    .insert(inboundMessages)
    .values({
      ...email,
      provider: 'email',
      providerMessageId: email.id,
      kind: 'photos',
      media: [],
      status: 'accepted',
    })
    .onConflictDoNothing({ target: inboundMessages.id });
}

export async function markMessageOfEmailDone(
  tx: Tx,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
): Promise<void> {
  await tx
    .update(inboundMessages)
    .set({ status: 'done' })
    .where(ownedBy(inboundMessages, ownerId, id));
}

type PhotoClaim = { ownerId: string; sha256: string; emailId: string; isEmbedded: boolean };

/** Idempotent. duplicate: another email has added or is adding it; signature: two earlier embedded it. */
export async function claimPhoto(
  db: Db,
  { ownerId, sha256, emailId, isEmbedded }: PhotoClaim,
): Promise<'claimed' | 'duplicate' | 'signature'> {
  const isAdded = exists(
    db
      .select({ one: sql`1` })
      .from(memories)
      .innerJoin(images, eq(images.id, memories.imageId))
      .where(
        and(
          eq(images.ownerId, ownerId),
          eq(images.sha256, sha256),
          eq(memories.source, 'email'),
          sql`${memories.deletedAt} is null`,
        ),
      ),
  );
  const isPending = exists(
    db
      .select({ one: sql`1` })
      .from(inboundEmails)
      .where(
        and(
          eq(inboundEmails.id, emailPhotos.emailId),
          ne(inboundEmails.id, emailId),
          eq(inboundEmails.status, 'received'),
        ),
      ),
  );
  const { firstEmailIds } = emailPhotos;
  const isClaimed = eq(emailPhotos.emailId, emailId);
  const isCounted = sql`${emailId}::uuid = any(${firstEmailIds})`;
  const isFull = sql`cardinality(${firstEmailIds}) >= 2`;
  const isSignature = sql<boolean>`(${isEmbedded} and ${isFull} and not ${isCounted})`;
  const canClaim = sql`not ${isSignature} and (${isClaimed} or not (${isAdded} or ${isPending}))`;
  const [photo] = await db
    .insert(emailPhotos)
    .values({ ownerId, sha256, emailId, firstEmailIds: [emailId] })
    .onConflictDoUpdate({
      target: [emailPhotos.ownerId, emailPhotos.sha256],
      set: {
        emailId: sql`case when ${canClaim} then ${emailId}::uuid else ${emailPhotos.emailId} end`,
        firstEmailIds: sql`case when ${isFull} or ${isCounted} then ${firstEmailIds}
          else array_append(${firstEmailIds}, ${emailId}::uuid) end`,
      },
    })
    .returning({ emailId: emailPhotos.emailId, isSignature });
  if (photo?.isSignature) return 'signature';
  return photo?.emailId === emailId ? 'claimed' : 'duplicate';
}

/** After a rejection: the email no longer counts as one that brought the photo. */
export async function releasePhoto(
  db: Db,
  { ownerId, sha256, emailId }: Omit<PhotoClaim, 'isEmbedded'>,
): Promise<void> {
  await db
    .update(emailPhotos)
    .set({ firstEmailIds: sql`array_remove(${emailPhotos.firstEmailIds}, ${emailId}::uuid)` })
    .where(and(eq(emailPhotos.ownerId, ownerId), eq(emailPhotos.sha256, sha256)));
}
