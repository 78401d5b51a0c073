import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteExpiredForwardingTexts } from './forwarding/forwarding-request-queries.ts';
import {
  abandonEmail,
  deleteEmail,
  EMAIL_RETENTION_MS,
  emailKey,
  findEmailToPurge,
  updateEmail,
} from './inbound-email-queries.ts';

/** Longer than receiving an email ever takes. */
const RECEIVE_TIMEOUT_MS = 60 * 60 * 1000;

export const purgeInboundEmailsJob = defineJob({
  name: 'purge-inbound-emails',
  cron: '27 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle(context) {
    await deleteExpiredForwardingTexts(context.db, context.clock.now());
    while (await purgeNext(context));
  },
});

/** Locks no row while the storage works: every step is idempotent, so concurrent purges do no harm. */
async function purgeNext({ db, storage, clock }: AppContext): Promise<boolean> {
  const now = clock.now().getTime();
  const expired = new Date(now - EMAIL_RETENTION_MS);
  const email = await findEmailToPurge(db, { arriving: new Date(now - RECEIVE_TIMEOUT_MS), expired });
  if (!email) return false;
  const { ownerId, id, status, sha256, createdAt } = email;
  // The next round deletes it, unless it was received or accepted in between.
  if (status === 'arriving' || status === 'waiting') {
    await abandonEmail(db, email);
    return true;
  }
  await storage.delete(emailKey(id));
  // The row stays for the retention time to recognize duplicates; one that never arrived whole has no hash for that.
  if (sha256 !== null && createdAt >= expired) await updateEmail(db, email, { isStored: false });
  else await deleteEmail(db, ownerId, id);
  return true;
}
