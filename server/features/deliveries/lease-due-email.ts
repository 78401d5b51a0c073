import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Job } from '../../platform/jobs/define-job.ts';
import { isActive, isEmailVerified } from '../accounts/users/user-queries.ts';
import { claimShare, type ShareRow } from '../shares/share-queries.ts';
import { removeTrashedMemories } from './delivery-queries.ts';
import {
  getRecipient,
  listEmailMemories,
  type EmailMemory,
  type Recipient,
} from './email-content-queries.ts';
import {
  countLeased,
  deleteEmail,
  leaseEmail,
  listSentSince,
  lockDueEmail,
  lockHourlyLimit,
  updateEmail,
  type EmailRow,
  type Exclusions,
} from './email-queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** After this, another process takes over the email of a process that died. Living processes extend it far sooner. */
export const LEASE_MS = 30_000;
const RETRY_PERIOD_MS = 48 * HOUR_MS;
const MAX_RETRY_DELAY_MS = 6 * HOUR_MS;

export type SharedMemory = EmailMemory & { share: ShareRow };
export type LeasedEmail = { email: EmailRow; recipient: Recipient; memories: SharedMemory[] };

/** Leases the next due email. 'not-now': it was cancelled or delayed instead. `recoveryJob` runs when the lease expires. */
export async function leaseDueEmail(
  context: AppContext,
  excluded: Exclusions,
  recoveryJob: Job,
): Promise<LeasedEmail | 'not-now' | null> {
  const { db, clock, logger } = context;
  let due: EmailRow | null = null;
  try {
    return await db.transaction(async (tx) => {
      due = await lockDueEmail(tx, clock.now(), excluded);
      return due && ((await leaseIfWanted(context, tx, due, recoveryJob)) ?? 'not-now');
    });
  } catch (error) {
    const email = due as EmailRow | null;
    if (!email) throw error;
    // Counts as an attempt, so that this email does not block the others.
    logger.error({ err: error, emailId: email.id }, 'An email could not be leased');
    const attempts = email.attempts + 1;
    const changes = { attempts, ...nextAttempt({ ...email, attempts }, clock.now()) };
    await db.transaction((tx) => updateEmail(tx, email.id, changes));
    return 'not-now';
  }
}

async function leaseIfWanted(
  context: AppContext,
  tx: Tx,
  email: EmailRow,
  recoveryJob: Job,
): Promise<LeasedEmail | null> {
  const recipient = await getRecipient(tx, email.ownerId, email.contactId);
  if (!recipient.isWanted) {
    await updateEmail(tx, email.id, { status: 'cancelled' });
    return null;
  }
  if (await delayIfLimited(context, tx, email, recipient)) return null;
  await removeTrashedMemories(tx, email.id);
  const memories = email.kind === 'welcome' ? [] : await shareMemories(context, tx, email);
  if (email.kind !== 'welcome' && memories.length === 0) {
    await deleteEmail(tx, email.id);
    return null;
  }
  const { jobs, clock } = context;
  await jobs.enqueue(tx, recoveryJob, {}, { delaySeconds: LEASE_MS / 1000 + 1 });
  const now = clock.now();
  const leased = await leaseEmail(tx, email, { now, expiresAt: new Date(now.getTime() + LEASE_MS) });
  return { email: leased, recipient, memories };
}

async function shareMemories({ clock }: AppContext, tx: Tx, email: EmailRow): Promise<SharedMemory[]> {
  const { id, ownerId, contactId } = email;
  const shared: SharedMemory[] = [];
  for (const memory of await listEmailMemories(tx, ownerId, id)) {
    const share = await claimShare(tx, { ownerId, memoryId: memory.id, contactId, createdAt: clock.now() });
    shared.push({ ...memory, share });
  }
  return shared;
}

/** Delays the email while its owner is not active or has an unverified address, or the hourly limit is reached. */
async function delayIfLimited(
  { config, clock, mailer }: AppContext,
  tx: Tx,
  { id, ownerId }: EmailRow,
  { owner }: Recipient,
): Promise<boolean> {
  const now = clock.now();
  const delay = async (ms: number) => {
    await updateEmail(tx, id, { nextAttemptAt: new Date(now.getTime() + ms) });
    return true;
  };
  if (!isEmailVerified({ mailer }, owner) || !isActive(owner)) return delay(DAY_MS);
  await lockHourlyLimit(tx, ownerId);
  // Emails in flight count as sent.
  const free = config.limits.emailsPerHourAndUser - (await countLeased(tx, ownerId, now));
  if (free <= 0) return delay(MINUTE_MS);
  const sent = await listSentSince(tx, ownerId, new Date(now.getTime() - HOUR_MS));
  const oldestCounted = sent.at(-free);
  return oldestCounted ? delay(oldestCounted.getTime() + HOUR_MS + 1 - now.getTime()) : false;
}

/** Exponential backoff from one minute to six hours; fails after two days. */
export function nextAttempt(
  { attempts, firstAttemptAt }: Pick<EmailRow, 'attempts' | 'firstAttemptAt'>,
  now: Date,
): Pick<EmailRow, 'firstAttemptAt'> & ({ status: 'failed' } | { nextAttemptAt: Date }) {
  const since = firstAttemptAt ?? now;
  const delayMs = Math.min(MINUTE_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  const nextAttemptAt = new Date(now.getTime() + delayMs);
  const isOver = nextAttemptAt.getTime() > since.getTime() + RETRY_PERIOD_MS;
  return { firstAttemptAt: since, ...(isOver ? { status: 'failed' } : { nextAttemptAt }) };
}
