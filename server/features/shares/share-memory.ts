import type { AppContext } from '../../platform/context.ts';
import { getMemory } from '../memories/memory-queries.ts';
import { claimLink, findLink, revokeLinkOf } from './share-queries.ts';
import { publicUrl } from './share-url.ts';

type Context = Pick<AppContext, 'db' | 'clock' | 'baseUrl'>;

/** The address of a memory's public page; null while it has none. @throws NotFoundError */
export async function findShareOf(context: Context, ownerId: string, id: string): Promise<string | null> {
  const { id: memoryId } = await getMemory(context.db, ownerId, id);
  const link = await findLink(context.db, { ownerId, memoryId, contactId: null });
  return link && publicUrl(context, link);
}

/** The address of a memory's public page, which is made the first time; the same each time until it is taken back. @throws NotFoundError */
export function shareMemory(context: Context, ownerId: string, id: string): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { id: memoryId } = await getMemory(tx, ownerId, id);
    const createdAt = context.clock.now();
    return publicUrl(context, await claimLink(tx, { ownerId, memoryId, contactId: null, createdAt }));
  });
}

/** That there is none is no error. @throws NotFoundError */
export async function unshareMemory({ db, clock }: Context, ownerId: string, id: string): Promise<void> {
  const { id: memoryId } = await getMemory(db, ownerId, id);
  await revokeLinkOf(db, { ownerId, memoryId, contactId: null }, clock.now());
}
