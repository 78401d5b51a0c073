import { and, asc, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { deliveries } from '../../platform/db/schema/deliveries.ts';
import { images } from '../../platform/db/schema/images.ts';
import { memories } from '../../platform/db/schema/memories.ts';
import { pets } from '../../platform/db/schema/pets.ts';

/** What a mail shows of a memory. */
export type MailedMemory = {
  id: string;
  caption: string | null;
  /** `YYYY-MM-DD`, or null. */
  memoryDay: string | null;
  createdAt: Date;
  petName: string | null;
  image: { id: string; objectKey: string; width: number; height: number };
};

/** The memories of a mail, oldest first. */
export function listMailedMemories(tx: Tx, ownerId: string, mailId: string): Promise<MailedMemory[]> {
  return tx
    .select({
      id: memories.id,
      caption: memories.caption,
      memoryDay: memories.memoryDay,
      createdAt: memories.createdAt,
      petName: pets.name,
      image: { id: images.id, objectKey: images.objectKey, width: images.width, height: images.height },
    })
    .from(deliveries)
    .innerJoin(memories, eq(memories.id, deliveries.memoryId))
    .innerJoin(images, eq(images.id, memories.imageId))
    .leftJoin(pets, eq(pets.id, memories.petId))
    .where(and(eq(deliveries.ownerId, ownerId), eq(deliveries.mailId, mailId)))
    .orderBy(asc(memories.createdAt), asc(memories.id));
}
