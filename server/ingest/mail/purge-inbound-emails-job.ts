import type { AppContext } from '../../context.ts';
import type { JobHandler } from '../../ports/job-queue.ts';
import { deleteEmail, lockEmailToClear, updateEmail } from './email-queries.ts';
import { emailKey } from './receive-email.ts';

/** How long a mail waits for its owner's OK, and how long one is known when it is sent again. */
export const EMAIL_KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** Longer than a mail ever takes to arrive. */
const ARRIVES_WITHIN_MS = 60 * 60 * 1000;

/** Clears away mail that nobody said OK to, and what processes left that ended in the middle. */
export function purgeInboundEmailsJob(
  context: Pick<AppContext, 'db' | 'storage' | 'clock'>,
): JobHandler<object> {
  return async () => {
    while (await purgeNext(context));
  };
}

function purgeNext({ db, storage, clock }: Pick<AppContext, 'db' | 'storage' | 'clock'>): Promise<boolean> {
  const now = clock.now().getTime();
  return db.transaction(async (tx) => {
    const waited = new Date(now - EMAIL_KEPT_FOR_MS);
    const email = await lockEmailToClear(tx, { arrived: new Date(now - ARRIVES_WITHIN_MS), waited });
    if (!email) return false;
    await storage.delete(emailKey(email.id));
    const isKnown = (email.status === 'done' || email.status === 'rejected') && email.createdAt >= waited;
    if (isKnown) await updateEmail(tx, email, { isStored: false });
    else await deleteEmail(tx, email.ownerId, email.id);
    return true;
  });
}
