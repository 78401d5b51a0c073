import { randomBytes } from 'node:crypto';
import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { ShareAudience } from '#shared/share';
import type { Db, Tx } from '../db/database.ts';
import { contacts } from '../db/schema/contacts.ts';
import { images } from '../db/schema/images.ts';
import { memories } from '../db/schema/memories.ts';
import { pets } from '../db/schema/pets.ts';
import { publicLinks } from '../db/schema/public-links.ts';
import { users } from '../db/schema/users.ts';
import { NotFoundError } from '../errors.ts';
import type { PublicLinkCursor } from './public-link-cursor.ts';

export type PublicLinkRow = typeof publicLinks.$inferSelect;
type NewLink = Pick<PublicLinkRow, 'ownerId' | 'memoryId' | 'contactId' | 'createdAt'>;

const TOKEN_BYTES = 24;

/** The link of this memory for this contact, or for anyone without one; made the first time. */
export async function claimLink(tx: Tx, link: NewLink): Promise<PublicLinkRow> {
  await tx
    .insert(publicLinks)
    .values({ id: uuidv7(), token: randomBytes(TOKEN_BYTES).toString('base64url'), ...link })
    .onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(publicLinks)
    .where(and(isFor(link.ownerId, link.memoryId, link.contactId), isNull(publicLinks.revokedAt)));
  if (!row) throw new Error('The link was not returned');
  return row;
}

/** What a public page shows. */
export type SharedMemory = {
  caption: string | null;
  memoryDay: string | null;
  createdAt: Date;
  petName: string | null;
  owner: typeof users.$inferSelect;
  image: typeof images.$inferSelect;
};

/** Null for a token that leads nowhere: never given out, revoked, or of a memory that lies in the trash. */
export async function findSharedMemory(db: Db, token: string): Promise<SharedMemory | null> {
  const [row] = await db
    .select({
      caption: memories.caption,
      memoryDay: memories.memoryDay,
      createdAt: memories.createdAt,
      petName: pets.name,
      owner: getTableColumns(users),
      image: getTableColumns(images),
    })
    .from(publicLinks)
    .innerJoin(memories, eq(memories.id, publicLinks.memoryId))
    .innerJoin(images, eq(images.id, memories.imageId))
    .innerJoin(users, eq(users.id, memories.ownerId))
    .leftJoin(pets, eq(pets.id, memories.petId))
    .where(and(eq(publicLinks.token, token), isNull(publicLinks.revokedAt), isNull(memories.deletedAt)));
  return row ?? null;
}

/** A link with what its owner knows it by. */
export type ListedLink = Pick<PublicLinkRow, 'id' | 'token' | 'memoryId' | 'createdAt'> & {
  imageId: string;
  caption: string | null;
  contactName: string | null;
};

const AUDIENCES: Record<ShareAudience, SQL> = {
  anyone: isNull(publicLinks.contactId),
  contact: isNotNull(publicLinks.contactId),
};

/** Those that lead somewhere, newest first; after the cursor, and at most so many, when given. */
export function listLinks(
  db: Db,
  ownerId: string,
  audience: ShareAudience | undefined,
  { after, atMost }: { after: PublicLinkCursor | null; atMost: number | undefined },
): Promise<ListedLink[]> {
  const query = db
    .select({
      id: publicLinks.id,
      token: publicLinks.token,
      memoryId: publicLinks.memoryId,
      createdAt: publicLinks.createdAt,
      imageId: memories.imageId,
      caption: memories.caption,
      contactName: contacts.name,
    })
    .from(publicLinks)
    .innerJoin(memories, eq(memories.id, publicLinks.memoryId))
    .leftJoin(contacts, eq(contacts.id, publicLinks.contactId))
    .where(
      and(
        eq(publicLinks.ownerId, ownerId),
        audience && AUDIENCES[audience],
        isNull(publicLinks.revokedAt),
        isNull(memories.deletedAt),
        after
          ? sql`(${publicLinks.createdAt}, ${publicLinks.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
          : undefined,
      ),
    )
    .orderBy(desc(publicLinks.createdAt), desc(publicLinks.id))
    .$dynamic();
  return atMost === undefined ? query : query.limit(atMost);
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function revokeLink(db: Db, ownerId: string, id: string, now: Date): Promise<void> {
  const revoked = await db
    .update(publicLinks)
    .set({ revokedAt: sql`coalesce(${publicLinks.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(and(eq(publicLinks.id, id), eq(publicLinks.ownerId, ownerId)))
    .returning({ id: publicLinks.id });
  if (revoked.length === 0) throw new NotFoundError();
}

/** The one for anyone; null while there is none. */
export async function findOwnLink(db: Db, ownerId: string, memoryId: string): Promise<PublicLinkRow | null> {
  const [row] = await db
    .select()
    .from(publicLinks)
    .where(and(isFor(ownerId, memoryId, null), isNull(publicLinks.revokedAt)));
  return row ?? null;
}

/** The one for anyone; that there is none is no error. */
export async function revokeOwnLink(db: Db, ownerId: string, memoryId: string, now: Date): Promise<void> {
  await db
    .update(publicLinks)
    .set({ revokedAt: now })
    .where(and(isFor(ownerId, memoryId, null), isNull(publicLinks.revokedAt)));
}

function isFor(ownerId: string, memoryId: string, contactId: string | null) {
  return and(
    eq(publicLinks.ownerId, ownerId),
    eq(publicLinks.memoryId, memoryId),
    contactId === null ? isNull(publicLinks.contactId) : eq(publicLinks.contactId, contactId),
  );
}
