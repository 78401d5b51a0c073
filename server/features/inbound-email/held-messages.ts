import type { AcceptHeldMessageRequest } from '#shared/inbound-email';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { ingestEmailsJobDefinition } from '../job-catalogue.ts';
import { checkStorageLimit } from '../uploads/storage-limit.ts';
import { allowSender } from '../users/allowed-sender-queries.ts';
import { lockEmail, updateEmail } from './inbound-email-queries.ts';
import { emailKey } from './receive-email.ts';

export const MESSAGE_NOT_THERE =
  'This message was not found. It may already have been accepted or discarded.';

/**
 * Said twice, it is said once. @throws NotFoundError when it is not there, or was rejected; ConflictError or
 * InvalidError when its sender can't be allowed, TooLargeError when the album has no room for it: it goes on waiting
 */
export async function acceptHeldMessage(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  ownerId: string,
  id: string,
  wish: AcceptHeldMessageRequest,
): Promise<void> {
  const { db, jobs, clock } = context;
  await db.transaction(async (tx) => {
    const email = await lockEmail(tx, ownerId, id);
    if (wish.allowSender && email?.sender && (email.status === 'waiting' || email.acceptedAt))
      await allowSender(context, tx, ownerId, email.sender);
    if (email?.acceptedAt && email.status !== 'waiting') return;
    if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_THERE);
    // Its photos are no larger than itself, and nobody would hear later that they were refused.
    await checkStorageLimit(context.config, tx, ownerId, email.byteSize);
    const now = clock.now();
    await updateEmail(tx, email, { status: 'received', acceptedAt: now, tryAt: now, tries: 0 });
    await jobs.enqueue(tx, ingestEmailsJobDefinition, {});
  });
}

/** The same; what was mailed is gone for good. @throws NotFoundError when it is not there, or was accepted */
export async function rejectHeldMessage(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const email = await lockEmail(tx, ownerId, id);
    if (email?.status === 'rejected') return;
    if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_THERE);
    await updateEmail(tx, email, { status: 'rejected' });
  });
  // What cannot be cleared away now is found by the purge.
  await storage.delete(emailKey(id)).then(
    () => updateEmail(db, { ownerId, id }, { isStored: false }),
    () => undefined,
  );
}
