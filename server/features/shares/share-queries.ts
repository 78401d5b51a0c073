import { randomBytes } from 'node:crypto';
import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { ShareAudience } from '#shared/album/share';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { caricatures } from '../../platform/db/schema/album/caricatures.ts';
import { contacts } from '../../platform/db/schema/album/contacts.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import { shares } from '../../platform/db/schema/album/shares.ts';
import { users } from '../../platform/db/schema/accounts/users.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';
import { isActiveUser } from '../accounts/users/user-queries.ts';

export type ShareRow = typeof shares.$inferSelect;
/** Without a contact the share is one that the owner created. */
type ShareSubject = Pick<ShareRow, 'ownerId' | 'contactId'> &
  ({ memoryId: string } | { caricatureId: string });
type NewShare = ShareSubject & Pick<ShareRow, 'createdAt'>;

const TOKEN_BYTES = 24;

export async function claimShare(tx: Tx, share: NewShare): Promise<ShareRow> {
  // An existing share may be revoked between the insert and the read.
  for (;;) {
    const row = (await insertShare(tx, share)) ?? (await findShare(tx, share));
    if (row) return row;
  }
}

/** Null when an active share exists. */
async function insertShare(tx: Tx, share: NewShare): Promise<ShareRow | null> {
  const [row] = await tx
    .insert(shares)
    .values({ id: uuidv7(), token: randomBytes(TOKEN_BYTES).toString('base64url'), ...share })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function findShare(db: Db | Tx, subject: ShareSubject): Promise<ShareRow | null> {
  const [row] = await db.select().from(shares).where(isShareOf(subject));
  return row ?? null;
}

/** A memory in the trash is not shown. */
const isSharedMemory = and(eq(memories.id, shares.memoryId), isNull(memories.deletedAt));
const isSharedCaricature = eq(caricatures.id, shares.caricatureId);
const sharedImageId = sql`coalesce(${memories.imageId}, ${caricatures.imageId})`;

/** The content of a public page: a photo or a caricature. */
export type SharedPhoto = {
  isCaricature: boolean;
  caption: string | null;
  memoryDay: string | null;
  createdAt: Date;
  petName: string | null;
  owner: typeof users.$inferSelect;
  image: typeof images.$inferSelect;
};

/** Null for a token that is unknown or revoked, whose memory is in the trash, or whose owner is not active. */
export async function findSharedPhoto(db: Db, token: string): Promise<SharedPhoto | null> {
  const [row] = await db
    .select({
      isCaricature: sql<boolean>`${shares.caricatureId} is not null`,
      caption: memories.caption,
      memoryDay: memories.memoryDay,
      createdAt: sql`coalesce(${memories.createdAt}, ${caricatures.createdAt})`.mapWith(memories.createdAt),
      petName: pets.name,
      owner: getTableColumns(users),
      image: getTableColumns(images),
    })
    .from(shares)
    .innerJoin(users, and(eq(users.id, shares.ownerId), isActiveUser))
    .leftJoin(memories, isSharedMemory)
    .leftJoin(caricatures, isSharedCaricature)
    .innerJoin(images, eq(images.id, sharedImageId))
    .leftJoin(pets, sql`${pets.id} = coalesce(${memories.petId}, ${caricatures.petId})`)
    .where(and(eq(shares.token, token), isNull(shares.revokedAt)));
  return row ?? null;
}

export type ListedShare = Pick<ShareRow, 'id' | 'token' | 'memoryId' | 'caricatureId' | 'createdAt'> & {
  imageId: string;
  caption: string | null;
  contactName: string | null;
};

const AUDIENCES: Record<ShareAudience, SQL> = {
  anyone: isNull(shares.contactId),
  contact: isNotNull(shares.contactId),
};

export function listShares(
  db: Db,
  ownerId: string,
  audience: ShareAudience | undefined,
  { after, maxRows }: PageRange<CreatedAtCursor>,
): Promise<ListedShare[]> {
  return db
    .select({
      id: shares.id,
      token: shares.token,
      memoryId: shares.memoryId,
      caricatureId: shares.caricatureId,
      createdAt: shares.createdAt,
      imageId: sql<string>`${sharedImageId}`,
      caption: memories.caption,
      contactName: contacts.name,
    })
    .from(shares)
    .leftJoin(memories, isSharedMemory)
    .leftJoin(caricatures, isSharedCaricature)
    .leftJoin(contacts, eq(contacts.id, shares.contactId))
    .where(
      and(
        eq(shares.ownerId, ownerId),
        audience && AUDIENCES[audience],
        isNull(shares.revokedAt),
        isNotNull(sharedImageId),
        after ? isOlder(shares, after) : undefined,
      ),
    )
    .orderBy(desc(shares.createdAt), desc(shares.id))
    .limit(maxRows);
}

/** Idempotent. @throws NotFoundError */
export async function revokeShare(db: Db, ownerId: string, id: string, now: Date): Promise<void> {
  const revoked = await db
    .update(shares)
    .set({ revokedAt: sql`coalesce(${shares.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(ownedBy(shares, ownerId, id))
    .returning({ id: shares.id });
  if (revoked.length === 0) throw new NotFoundError();
}

/** Idempotent. */
export async function revokeShareOf(db: Db, subject: ShareSubject, now: Date): Promise<void> {
  await db.update(shares).set({ revokedAt: now }).where(isShareOf(subject));
}

/** The shares in the emails that this contact got. */
export async function deleteContactShares(tx: Tx, contactId: string): Promise<void> {
  await tx.delete(shares).where(eq(shares.contactId, contactId));
}

/** Matches at most one row: there is one active share per subject. */
function isShareOf(subject: ShareSubject) {
  return and(
    eq(shares.ownerId, subject.ownerId),
    'memoryId' in subject
      ? eq(shares.memoryId, subject.memoryId)
      : eq(shares.caricatureId, subject.caricatureId),
    subject.contactId === null ? isNull(shares.contactId) : eq(shares.contactId, subject.contactId),
    isNull(shares.revokedAt),
  );
}
