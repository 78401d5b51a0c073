import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { abandonEmail, deleteEmail, findEmailToClear, updateEmail } from './inbound-email-queries.ts';
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

/** No row is locked while the storage works: two purges at the same moment do the same twice, which changes nothing. */
async function purgeNext({
  db,
  storage,
  clock,
}: Pick<AppContext, 'db' | 'storage' | 'clock'>): Promise<boolean> {
  const now = clock.now().getTime();
  const waited = new Date(now - EMAIL_KEPT_FOR_MS);
  const email = await findEmailToClear(db, { arrived: new Date(now - ARRIVES_WITHIN_MS), waited });
  if (!email) return false;
  const { ownerId, id, status, sha256, createdAt } = email;
  if (status === 'arriving' || status === 'waiting') {
    await abandonEmail(db, email);
    // The next round sees whether it has come in, or was accepted, at this moment.
    return true;
  }
  await storage.delete(emailKey(id));
  // One that never arrived whole is not known by anything.
  if (sha256 !== null && createdAt >= waited) await updateEmail(db, email, { isStored: false });
  else await deleteEmail(db, ownerId, id);
  return true;
}
