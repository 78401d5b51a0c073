import { and, asc, eq, getTableColumns } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { users } from '../../platform/db/schema/accounts/users.ts';
import { contacts, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { deliveries } from '../../platform/db/schema/album/deliveries.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import type { UserRow } from '../accounts/users/user-queries.ts';

export type Recipient = {
  name: string;
  email: string;
  suppressionEntryId: string;
  /** In the links of the unsubscribe and preferences pages. */
  token: string;
  isWanted: boolean;
  owner: UserRow;
};

export async function getRecipient(tx: Tx, ownerId: string, contactId: string): Promise<Recipient> {
  const [row] = await tx
    .select({
      contact: getTableColumns(contacts),
      suppression: getTableColumns(suppressionEntries),
      owner: getTableColumns(users),
    })
    .from(contacts)
    .innerJoin(suppressionEntries, eq(suppressionEntries.id, contacts.suppressionEntryId))
    .innerJoin(users, eq(users.id, contacts.ownerId))
    .where(and(eq(contacts.id, contactId), eq(contacts.ownerId, ownerId)));
  if (!row) throw new Error('The email has no contact');
  const { contact, suppression, owner } = row;
  return {
    name: contact.name,
    email: contact.email,
    suppressionEntryId: suppression.id,
    token: suppression.token,
    isWanted: contact.isActive && contact.undeliverableAt === null && suppression.unsubscribedAt === null,
    owner,
  };
}

export type EmailMemory = {
  id: string;
  caption: string | null;
  /** `YYYY-MM-DD`, or null. */
  memoryDay: string | null;
  createdAt: Date;
  petName: string | null;
  image: Pick<
    typeof images.$inferSelect,
    'id' | 'ownerId' | 'objectKey' | 'copyVersion' | 'width' | 'height'
  >;
};

export function listEmailMemories(tx: Tx, ownerId: string, emailId: string): Promise<EmailMemory[]> {
  return tx
    .select({
      id: memories.id,
      caption: memories.caption,
      memoryDay: memories.memoryDay,
      createdAt: memories.createdAt,
      petName: pets.name,
      image: {
        id: images.id,
        ownerId: images.ownerId,
        objectKey: images.objectKey,
        copyVersion: images.copyVersion,
        width: images.width,
        height: images.height,
      },
    })
    .from(deliveries)
    .innerJoin(memories, eq(memories.id, deliveries.memoryId))
    .innerJoin(images, eq(images.id, memories.imageId))
    .leftJoin(pets, eq(pets.id, memories.petId))
    .where(and(eq(deliveries.ownerId, ownerId), eq(deliveries.emailId, emailId)))
    .orderBy(asc(memories.createdAt), asc(memories.id));
}
