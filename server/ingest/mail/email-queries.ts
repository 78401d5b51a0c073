import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../db/database.ts';
import { images } from '../../db/schema/images.ts';
import { inboundEmails, mailedPhotos, type EmailOutcome } from '../../db/schema/inbound-emails.ts';
import { inboundMessages } from '../../db/schema/inbound-messages.ts';
import { memories } from '../../db/schema/memories.ts';

export type InboundEmailRow = typeof inboundEmails.$inferSelect;
type Envelope = Pick<InboundEmailRow, 'envelopeSender' | 'spfDomain'>;

/** Noted before anything is stored of it, so that after a crash the purge knows where to look. */
export async function insertArrivingEmail(
  db: Db,
  ownerId: string,
  envelope: Envelope,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  const row = { id, ownerId, ...envelope, isStored: true, status: 'arriving' as const };
  await db.insert(inboundEmails).values({ ...row, tryAt: now, createdAt: now });
  return id;
}

/**
 * Its bytes are whole. @throws a unique violation of inbound_emails_once when the very same bytes were received before;
 * an error when the purge has taken it for one that was left
 */
export async function markEmailReceived(
  tx: Tx,
  ownerId: string,
  id: string,
  { sha256, messageId, byteSize }: { sha256: string; messageId: string | null; byteSize: number },
): Promise<void> {
  const marked = await tx
    .update(inboundEmails)
    .set({ status: 'received', sha256, messageId, byteSize })
    .where(isOwn(ownerId, id))
    .returning({ id: inboundEmails.id });
  if (marked.length === 0) throw new Error('A mail took so long to arrive that it was cleared away');
}

export async function deleteEmail(db: Db | Tx, ownerId: string, id: string): Promise<void> {
  await db.delete(inboundEmails).where(isOwn(ownerId, id));
}

/** Counts that something is begun with the mail that has waited longest; null when none is due. */
export async function beginNextEmail(db: Db, now: Date): Promise<InboundEmailRow | null> {
  const next = db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.status, 'received'),
        // What is new is due, whatever the clock of the machine said that it came to.
        or(eq(inboundEmails.tries, 0), lte(inboundEmails.tryAt, now)),
      ),
    )
    .orderBy(asc(inboundEmails.tryAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(inboundEmails)
    .set({ tries: sql`${inboundEmails.tries} + 1` })
    .where(inArray(inboundEmails.id, next))
    .returning();
  return row ?? null;
}

/** Null when it is done meanwhile, or somebody else works on it. Held until the transaction ends, however long that takes. */
export async function lockReceivedEmail(
  tx: Tx,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
): Promise<InboundEmailRow | null> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const [row] = await tx
    .select()
    .from(inboundEmails)
    .where(and(isOwn(ownerId, id), eq(inboundEmails.status, 'received')))
    .for('no key update', { skipLocked: true });
  return row ?? null;
}

export async function updateEmail(
  db: Db | Tx,
  { ownerId, id }: Pick<InboundEmailRow, 'ownerId' | 'id'>,
  changes: Partial<
    Pick<
      InboundEmailRow,
      | 'status'
      | 'tryAt'
      | 'tries'
      | 'sender'
      | 'isProven'
      | 'subject'
      | 'photoCount'
      | 'acceptedAt'
      | 'isStored'
    > & { outcome: EmailOutcome }
  >,
): Promise<void> {
  await db.update(inboundEmails).set(changes).where(isOwn(ownerId, id));
}

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
    .where(and(eq(inboundMessages.ownerId, ownerId), eq(inboundMessages.id, id)));
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

/** Newest first; after the cursor, and at most so many, when given. */
export function listWaitingEmails(
  db: Db,
  ownerId: string,
  page: { after: { createdAt: Date; id: string } | null; atMost: number | undefined },
): Promise<InboundEmailRow[]> {
  const isAfter =
    page.after &&
    sql`(${inboundEmails.createdAt}, ${inboundEmails.id}) < (${page.after.createdAt.toISOString()}::timestamptz, ${page.after.id}::uuid)`;
  const query = db
    .select()
    .from(inboundEmails)
    .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.status, 'waiting'), isAfter ?? undefined))
    .orderBy(desc(inboundEmails.createdAt), desc(inboundEmails.id))
    .$dynamic();
  return page.atMost === undefined ? query : query.limit(page.atMost);
}

/** What waits for the owner's OK, or may come to wait for it. */
export async function countUndecidedEmails(
  db: Db,
  ownerId: string,
): Promise<{ mails: number; bytes: number }> {
  const { status, acceptedAt, byteSize } = inboundEmails;
  const [row] = await db
    .select({ mails: sql<string>`count(*)`, bytes: sql<string>`coalesce(sum(${byteSize}), 0)` })
    .from(inboundEmails)
    .where(
      and(
        eq(inboundEmails.ownerId, ownerId),
        or(eq(status, 'waiting'), and(eq(status, 'received'), isNull(acceptedAt))),
      ),
    );
  return { mails: Number(row?.mails ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Whether these very bytes were received before. */
export async function isReceivedBefore(db: Db, ownerId: string, sha256: string): Promise<boolean> {
  const rows = await db
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.sha256, sha256)));
  return rows.length > 0;
}

/** Whether one that says the same of itself waits, was decided on, or is proven: its Message-ID alone says nothing. */
export async function isRepetition(tx: Tx, email: InboundEmailRow): Promise<boolean> {
  const { status, acceptedAt, isProven, sender, subject, photoCount } = inboundEmails;
  const rows = await tx
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(
      and(
        isAnotherWithMessageIdOf(email),
        sql`${sender} is not distinct from ${email.sender}`,
        eq(subject, email.subject),
        eq(photoCount, email.photoCount),
        or(inArray(status, ['waiting', 'done', 'rejected']), isNotNull(acceptedAt), isProven),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Ends what waits under the Message-ID and the name of a mail that is proven. */
export async function replaceUnprovenEmails(tx: Tx, email: InboundEmailRow): Promise<void> {
  const { status, acceptedAt, isProven, sender } = inboundEmails;
  await tx
    .update(inboundEmails)
    .set({ status: 'done' })
    .where(
      and(
        isAnotherWithMessageIdOf(email),
        sql`${sender} = ${email.sender}`,
        eq(status, 'waiting'),
        eq(isProven, false),
        isNull(acceptedAt),
      ),
    );
}

function isAnotherWithMessageIdOf({ ownerId, id, messageId }: InboundEmailRow) {
  return and(
    eq(inboundEmails.ownerId, ownerId),
    sql`${inboundEmails.messageId} = ${messageId}`,
    ne(inboundEmails.id, id),
  );
}

/** Null when it is not there or not this owner's. */
export async function findEmail(db: Db | Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await db.select().from(inboundEmails).where(isOwn(ownerId, id));
  return row ?? null;
}

/** The same, and nobody else may change it before the transaction ends. */
export async function lockEmail(tx: Tx, ownerId: string, id: string): Promise<InboundEmailRow | null> {
  const [row] = await tx.select().from(inboundEmails).where(isOwn(ownerId, id)).for('update');
  return row ?? null;
}

/**
 * One whose bytes nobody needs any more, locked: it came to nothing since then, has waited since before then, or is
 * done, and the process ended before it had cleared up.
 */
export async function lockEmailToClear(
  tx: Tx,
  before: { arrived: Date; waited: Date },
): Promise<InboundEmailRow | null> {
  const { status, createdAt, isStored } = inboundEmails;
  const [row] = await tx
    .select()
    .from(inboundEmails)
    .where(
      or(
        and(eq(status, 'arriving'), lt(createdAt, before.arrived)),
        and(inArray(status, ['waiting', 'done', 'rejected']), lt(createdAt, before.waited)),
        and(inArray(status, ['done', 'rejected']), eq(isStored, true)),
      ),
    )
    .limit(1)
    .for('update', { skipLocked: true });
  return row ?? null;
}

function isOwn(ownerId: string, id: string) {
  return and(eq(inboundEmails.id, id), eq(inboundEmails.ownerId, ownerId));
}
