import { and, eq, exists, ne, sql } from 'drizzle-orm';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/images.ts';
import { inboundEmails, mailedPhotos } from '../../platform/db/schema/inbound-emails.ts';
import { inboundMessages } from '../../platform/db/schema/inbound-sms.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import type { InboundEmailRow } from './inbound-email-queries.ts';

/** Notes the message that its photos belong to, as those of texts do: known by the mail's own id. */
export async function insertMessageOfEmail(
  db: Db,
  email: Pick<InboundEmailRow, 'ownerId' | 'id'> & {
    sender: string;
    petId: string | null;
    caption: string | null;
    createdAt: Date;
  },
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

type PhotoOfEmail = { ownerId: string; sha256: string; emailId: string; isEmbedded: boolean };

/**
 * claimed: this mail is the one that may bring this photo; repeated: another has brought it, and it is still there, or
 * another is bringing it at this moment; signature: it stands in the text as it did in two earlier mails. Asked again
 * for the same mail, the answer is the same.
 */
export async function claimPhoto(
  db: Db,
  { ownerId, sha256, emailId, isEmbedded }: PhotoOfEmail,
): Promise<'claimed' | 'repeated' | 'signature'> {
  const isThere = exists(
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
  const isComing = exists(
    db
      .select({ one: sql`1` })
      .from(inboundEmails)
      .where(
        and(
          eq(inboundEmails.id, mailedPhotos.emailId),
          ne(inboundEmails.id, emailId),
          eq(inboundEmails.status, 'received'),
        ),
      ),
  );
  const { firstEmailIds } = mailedPhotos;
  const isOurs = eq(mailedPhotos.emailId, emailId);
  const isNoted = sql`${emailId}::uuid = any(${firstEmailIds})`;
  const isFull = sql`cardinality(${firstEmailIds}) >= 2`;
  const isSignature = sql<boolean>`(${isEmbedded} and ${isFull} and not ${isNoted})`;
  const mayClaim = sql`not ${isSignature} and (${isOurs} or not (${isThere} or ${isComing}))`;
  const [photo] = await db
    .insert(mailedPhotos)
    .values({ ownerId, sha256, emailId, firstEmailIds: [emailId] })
    .onConflictDoUpdate({
      target: [mailedPhotos.ownerId, mailedPhotos.sha256],
      set: {
        emailId: sql`case when ${mayClaim} then ${emailId}::uuid else ${mailedPhotos.emailId} end`,
        firstEmailIds: sql`case when ${isFull} or ${isNoted} then ${firstEmailIds}
          else array_append(${firstEmailIds}, ${emailId}::uuid) end`,
      },
    })
    .returning({ emailId: mailedPhotos.emailId, isSignature });
  if (photo?.isSignature) return 'signature';
  return photo?.emailId === emailId ? 'claimed' : 'repeated';
}

/** It came to nothing: this mail is none of those that brought it. */
export async function disclaimPhoto(
  db: Db,
  { ownerId, sha256, emailId }: Omit<PhotoOfEmail, 'isEmbedded'>,
): Promise<void> {
  await db
    .update(mailedPhotos)
    .set({ firstEmailIds: sql`array_remove(${mailedPhotos.firstEmailIds}, ${emailId}::uuid)` })
    .where(and(eq(mailedPhotos.ownerId, ownerId), eq(mailedPhotos.sha256, sha256)));
}
