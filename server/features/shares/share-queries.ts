import { randomBytes } from 'node:crypto';
import { and, desc, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { ShareAudience } from '#shared/share';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { caricatures } from '../../platform/db/schema/caricatures.ts';
import { contacts } from '../../platform/db/schema/contacts.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { pets } from '../../platform/db/schema/pets.ts';
import { publicLinks } from '../../platform/db/schema/shares.ts';
import { users } from '../../platform/db/schema/users.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';

export type PublicLinkRow = typeof publicLinks.$inferSelect;
/** What a link shows, and to whom: without a contact to anyone. */
type LinkSubject = Pick<PublicLinkRow, 'ownerId' | 'contactId'> &
  ({ memoryId: string } | { caricatureId: string });
type NewLink = LinkSubject & Pick<PublicLinkRow, 'createdAt'>;

const TOKEN_BYTES = 24;

/** The link of this picture for this contact, or for anyone without one; made the first time. */
export async function claimLink(tx: Tx, link: NewLink): Promise<PublicLinkRow> {
  // The one that is there may be revoked before it is read: then this picture has none again.
  for (;;) {
    const row = (await insertLink(tx, link)) ?? (await findLink(tx, link));
    if (row) return row;
  }
}

/** Null when there is one already. */
async function insertLink(tx: Tx, link: NewLink): Promise<PublicLinkRow | null> {
  const [row] = await tx
    .insert(publicLinks)
    .values({ id: uuidv7(), token: randomBytes(TOKEN_BYTES).toString('base64url'), ...link })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** Null while there is none. */
export async function findLink(db: Db | Tx, of: LinkSubject): Promise<PublicLinkRow | null> {
  const [row] = await db.select().from(publicLinks).where(isLinkOf(of));
  return row ?? null;
}

/** What a link leads to, while it may be seen: a memory that is not in the trash, or a caricature. */
const isLinkedMemory = and(eq(memories.id, publicLinks.memoryId), isNull(memories.deletedAt));
const isLinkedCaricature = eq(caricatures.id, publicLinks.caricatureId);
const linkedImageId = sql`coalesce(${memories.imageId}, ${caricatures.imageId})`;

/** What a public page shows. */
export type SharedPicture = {
  isCaricature: boolean;
  caption: string | null;
  memoryDay: string | null;
  createdAt: Date;
  petName: string | null;
  owner: typeof users.$inferSelect;
  image: typeof images.$inferSelect;
};

/** Null for a token that leads nowhere: never given out, revoked, or of a memory that lies in the trash. */
export async function findSharedPicture(db: Db, token: string): Promise<SharedPicture | null> {
  const [row] = await db
    .select({
      isCaricature: sql<boolean>`${publicLinks.caricatureId} is not null`,
      caption: memories.caption,
      memoryDay: memories.memoryDay,
      createdAt: sql`coalesce(${memories.createdAt}, ${caricatures.createdAt})`.mapWith(memories.createdAt),
      petName: pets.name,
      owner: getTableColumns(users),
      image: getTableColumns(images),
    })
    .from(publicLinks)
    .innerJoin(users, eq(users.id, publicLinks.ownerId))
    .leftJoin(memories, isLinkedMemory)
    .leftJoin(caricatures, isLinkedCaricature)
    .innerJoin(images, eq(images.id, linkedImageId))
    .leftJoin(pets, sql`${pets.id} = coalesce(${memories.petId}, ${caricatures.petId})`)
    .where(and(eq(publicLinks.token, token), isNull(publicLinks.revokedAt)));
  return row ?? null;
}

/** A link with what its owner knows it by. */
export type ListedLink = Pick<PublicLinkRow, 'id' | 'token' | 'memoryId' | 'caricatureId' | 'createdAt'> & {
  imageId: string;
  caption: string | null;
  contactName: string | null;
};

const AUDIENCES: Record<ShareAudience, SQL> = {
  anyone: isNull(publicLinks.contactId),
  contact: isNotNull(publicLinks.contactId),
};

/** The links that still lead to an image, newest first. */
export function listLinks(
  db: Db,
  ownerId: string,
  audience: ShareAudience | undefined,
  { after, maxRows }: PageRange<CreatedAtCursor>,
): Promise<ListedLink[]> {
  return db
    .select({
      id: publicLinks.id,
      token: publicLinks.token,
      memoryId: publicLinks.memoryId,
      caricatureId: publicLinks.caricatureId,
      createdAt: publicLinks.createdAt,
      imageId: sql<string>`${linkedImageId}`,
      caption: memories.caption,
      contactName: contacts.name,
    })
    .from(publicLinks)
    .leftJoin(memories, isLinkedMemory)
    .leftJoin(caricatures, isLinkedCaricature)
    .leftJoin(contacts, eq(contacts.id, publicLinks.contactId))
    .where(
      and(
        eq(publicLinks.ownerId, ownerId),
        audience && AUDIENCES[audience],
        isNull(publicLinks.revokedAt),
        isNotNull(linkedImageId),
        after ? isOlder(publicLinks, after) : undefined,
      ),
    )
    .orderBy(desc(publicLinks.createdAt), desc(publicLinks.id))
    .limit(maxRows);
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function revokeLink(db: Db, ownerId: string, id: string, now: Date): Promise<void> {
  const revoked = await db
    .update(publicLinks)
    .set({ revokedAt: sql`coalesce(${publicLinks.revokedAt}, ${now.toISOString()}::timestamptz)` })
    .where(ownedBy(publicLinks, ownerId, id))
    .returning({ id: publicLinks.id });
  if (revoked.length === 0) throw new NotFoundError();
}

/** That there is none is no error. */
export async function revokeLinkOf(db: Db, of: LinkSubject, now: Date): Promise<void> {
  await db.update(publicLinks).set({ revokedAt: now }).where(isLinkOf(of));
}

/** Those in the mails that this contact got. */
export async function deleteContactLinks(tx: Tx, contactId: string): Promise<void> {
  await tx.delete(publicLinks).where(eq(publicLinks.contactId, contactId));
}

/** At most one: the others are revoked. */
function isLinkOf(subject: LinkSubject) {
  return and(
    eq(publicLinks.ownerId, subject.ownerId),
    'memoryId' in subject
      ? eq(publicLinks.memoryId, subject.memoryId)
      : eq(publicLinks.caricatureId, subject.caricatureId),
    subject.contactId === null ? isNull(publicLinks.contactId) : eq(publicLinks.contactId, subject.contactId),
    isNull(publicLinks.revokedAt),
  );
}
