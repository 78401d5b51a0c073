import { and, asc, desc, eq, exists, gt, lt, ne, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { uploads } from '../../platform/db/schema/transfers/uploads.ts';
import { isMemoryOf } from '../memories/memory-queries.ts';

export type InboundMessageRow = typeof inboundMessages.$inferSelect;
type NewInboundMessage = Omit<InboundMessageRow, 'id' | 'status' | 'attempts' | 'undoneAt'>;

/** The id of the new row; null for a message that was inserted before. */
export async function insertInboundMessage(tx: Tx, message: NewInboundMessage): Promise<string | null> {
  const [row] = await tx
    .insert(inboundMessages)
    .values({ id: uuidv7(), ...message, status: 'accepted' })
    .onConflictDoNothing()
    .returning({ id: inboundMessages.id });
  return row?.id ?? null;
}

/** Null when the message is done. */
export async function findAcceptedMessage(
  db: Db,
  ownerId: string,
  id: string,
): Promise<InboundMessageRow | null> {
  const [row] = await db
    .select()
    .from(inboundMessages)
    .where(and(ownedBy(inboundMessages, ownerId, id), eq(inboundMessages.status, 'accepted')));
  return row ?? null;
}

/** Counts an attempt to add its photos. Null when the message is done. */
export async function beginMessage(db: Db, ownerId: string, id: string): Promise<InboundMessageRow | null> {
  const [row] = await db
    .update(inboundMessages)
    .set({ attempts: sql`${inboundMessages.attempts} + 1` })
    .where(and(ownedBy(inboundMessages, ownerId, id), eq(inboundMessages.status, 'accepted')))
    .returning();
  return row ?? null;
}

export async function updateMessage(
  tx: Tx,
  { ownerId, id }: Pick<InboundMessageRow, 'ownerId' | 'id'>,
  changes: Pick<InboundMessageRow, 'petId' | 'caption' | 'media'>,
): Promise<void> {
  await tx
    .update(inboundMessages)
    .set(changes)
    .where(ownedBy(inboundMessages, ownerId, id));
}

/** False when it was done before: then the reply is queued already. */
export async function markMessageDone(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const done = await tx
    .update(inboundMessages)
    .set({ status: 'done' })
    .where(and(ownedBy(inboundMessages, ownerId, id), eq(inboundMessages.status, 'accepted')))
    .returning({ id: inboundMessages.id });
  return done.length > 0;
}

export async function markMessageUndone(tx: Tx, ownerId: string, id: string, undoneAt: Date): Promise<void> {
  await tx
    .update(inboundMessages)
    .set({ undoneAt })
    .where(ownedBy(inboundMessages, ownerId, id));
}

type BySender = Pick<InboundMessageRow, 'ownerId' | 'provider' | 'sender' | 'createdAt' | 'id'>;

/** Whether the sender's earlier photos, of messages after `since`, have no result yet. */
export async function hasPendingPhotos(db: Db, message: BySender, since: Date): Promise<boolean> {
  const rows = await db
    .select({ id: inboundMessages.id })
    .from(inboundMessages)
    .where(
      and(
        isBefore(message),
        eq(inboundMessages.kind, 'photos'),
        eq(inboundMessages.status, 'accepted'),
        gt(inboundMessages.createdAt, since),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** The last message with a photo that is in the album now or was: also if none of its photos was new. */
export async function lockLastPhotoMessage(tx: Tx, message: BySender): Promise<InboundMessageRow | null> {
  const completed = tx
    .select({ one: sql`1` })
    .from(uploads)
    .where(and(eq(uploads.inboundMessageId, inboundMessages.id), eq(uploads.status, 'completed')));
  const [row] = await tx
    .select()
    .from(inboundMessages)
    .where(and(isBefore(message), eq(inboundMessages.status, 'done'), exists(completed)))
    .orderBy(desc(inboundMessages.createdAt), desc(inboundMessages.id))
    .limit(1)
    .for('update');
  return row ?? null;
}

const isAdded = ne(uploads.before, 'album');

/** Whether it added photos: they may have been deleted since. */
export async function hasAddedPhotos(tx: Tx, messageId: string): Promise<boolean> {
  return (await tx.$count(uploads, and(eq(uploads.inboundMessageId, messageId), isAdded))) > 0;
}

/** The memories that the message added or restored, without those that the album had before. */
export function listMemoriesOfMessage(
  tx: Tx,
  ownerId: string,
  messageId: string,
): Promise<{ id: string; petId: string | null }[]> {
  return tx
    .selectDistinct({ id: memories.id, petId: memories.petId })
    .from(memories)
    .innerJoin(uploads, eq(uploads.memoryId, memories.id))
    .where(and(isMemoryOf(ownerId), eq(uploads.inboundMessageId, messageId), isAdded))
    .orderBy(asc(memories.id));
}

export async function deleteMessagesBefore(db: Db, before: Date): Promise<void> {
  await db.delete(inboundMessages).where(lt(inboundMessages.createdAt, before));
}

function isBefore({ ownerId, provider, sender, ...message }: BySender) {
  return and(
    eq(inboundMessages.ownerId, ownerId),
    eq(inboundMessages.provider, provider),
    eq(inboundMessages.sender, sender),
    isOlder(inboundMessages, message),
  );
}
