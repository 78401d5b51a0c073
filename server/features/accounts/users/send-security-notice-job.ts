import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../../platform/mailer/email-job-times.ts';
import { RecipientRejectedError } from '../../../platform/mailer/mailer.ts';
import {
  isDeniable,
  NOTICES,
  renderSecurityNotice,
  type Notice,
} from './email-templates/security-notice.tsx';
import { toEmailChangeToken } from './email-change-token.ts';
import { USER_TOKEN_PATHS } from './send-account-email-job.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import {
  getDisplayName,
  isEmailVerified,
  lockUserIfExists,
  userTimeZone,
  type UserRow,
} from './user-queries.ts';
import { USER_TOKEN_LIFETIMES_MS } from './user-token-lifetimes.ts';
import { storeUserToken } from './user-token-queries.ts';

const Payload = z.object({
  emailId: z.string(),
  userId: z.string(),
  notice: z.enum(NOTICES),
  to: z.string(),
  at: z.iso.datetime(),
  device: z.nullable(z.string()),
  network: z.nullable(z.string()),
  /** Of an email change: its links and its other address. */
  changeId: z.nullable(z.string()),
  otherEmail: z.nullable(z.string()),
});
type Payload = z.infer<typeof Payload>;

export const sendSecurityNoticeJob = defineJob({
  name: 'send-security-notice',
  payload: Payload,
  retries: 8,
  ...EMAIL_JOB_TIMES,
  concurrency: 2,
  async handle(context, payload) {
    const { emailId: id, notice, to, at, device, network, otherEmail } = payload;
    const found = await findUserWithLink(context, payload);
    if (!found) return;
    const { user, url } = found;
    // The new address may be anyone's: the name must not be a message to them.
    const name = notice === 'confirm-email' ? null : getDisplayName(user);
    const where = [device, network].filter(Boolean).join(', ') || null;
    const when = formatInstant(new Date(at), userTimeZone(user));
    try {
      await context.mailer.send({
        id,
        to: { name: name ?? '', address: to },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderSecurityNotice(notice, { name, url, when, where, otherEmail }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRejectedError)) throw error;
      context.logger.info({ err: error, emailId: id }, "A mail server rejected a user's address");
    }
  },
});

/** Null for an account that was deleted. */
async function findUserWithLink(
  context: Pick<AppContext, 'baseUrl' | 'clock' | 'db' | 'keyedHash'>,
  payload: Payload,
): Promise<{ user: UserRow; url: string } | null> {
  const { emailId: id, userId: ownerId, notice, to } = payload;
  // The lock orders it with changes of the address, which end the tokens sent to the one before.
  return context.db.transaction(async (tx) => {
    const user = await lockUserIfExists(tx, ownerId);
    if (!user) return null;
    const isOwn = user.email.toLowerCase() === to.toLowerCase();
    if (!isDeniable(notice) || !isOwn) return { user, url: toUrl(context, payload) };
    const token = context.keyedHash('account-token', id);
    const createdAt = context.clock.now();
    const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS['secure-account']);
    const row = { id, ownerId, purpose: 'secure-account', isEmailed: true, createdBy: null } as const;
    await storeUserToken(tx, token, { ...row, createdAt, expiresAt });
    return { user, url: `${context.baseUrl.origin()}${USER_TOKEN_PATHS[row.purpose]}#${token}` };
  });
}

/** The tokens are in the fragment, which browsers send neither to us nor in a Referer. */
function toUrl(context: Pick<AppContext, 'baseUrl' | 'keyedHash'>, { notice, changeId }: Payload): string {
  const origin = context.baseUrl.origin();
  if (changeId && notice === 'confirm-email')
    return `${origin}/confirm-email#${toEmailChangeToken(context, 'confirm', changeId)}`;
  if (changeId && (notice === 'email-change-requested' || notice === 'email-changed'))
    return `${origin}/undo-email#${toEmailChangeToken(context, 'undo', changeId)}`;
  return `${origin}/forgot-password`;
}

function formatInstant(when: Date, timeZone: string): string {
  const date = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat('en-US', { ...date, ...time, timeZone }).format(when);
}

/** Tells the owner, at the account's address. Nothing is sent to an address that was never verified. */
export async function notifyOwner(
  context: Pick<AppContext, 'jobs'> & { mailer: Pick<AppContext['mailer'], 'isEmbedded'> },
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email' | 'emailVerifiedAt'>,
  notice: Notice,
  source: RequestSource,
): Promise<void> {
  if (!isEmailVerified(context, user)) return;
  await enqueueSecurityNotice(context, tx, { userId: user.id, to: user.email, notice }, source);
}

export function enqueueSecurityNotice(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  email: Pick<Payload, 'userId' | 'to' | 'notice'> & Partial<Pick<Payload, 'changeId' | 'otherEmail'>>,
  { now, device, network }: RequestSource,
): Promise<void> {
  return jobs.enqueue(tx, sendSecurityNoticeJob, {
    emailId: uuidv7(),
    changeId: null,
    otherEmail: null,
    ...email,
    at: now.toISOString(),
    device,
    network,
  });
}
