import { v7 as uuidv7 } from 'uuid';
import type { CreatedInvite, CreateInviteRequest, Invite } from '#shared/invite';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { INVITE_LIFETIME_MS } from './accept-invite.ts';
import { deleteInvite, insertInvite, listOpenInvites } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';
import { sendInviteEmailJob } from './send-invite-email-job.ts';

export async function listInvites(
  context: Pick<AppContext, 'db' | 'clock' | 'keyedHash' | 'baseUrl'>,
): Promise<Invite[]> {
  const rows = await listOpenInvites(context.db, context.clock.now());
  return rows.map(({ id, email, createdBy, createdAt, expiresAt }) => ({
    id,
    email,
    url: toInviteUrl(context, toInviteToken(context, 'invite', id)),
    createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws TooManyRequestsError */
export async function createInvite(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'keyedHash' | 'baseUrl' | 'mailer' | 'rateLimits'>,
  ownerId: string,
  request: CreateInviteRequest,
): Promise<CreatedInvite> {
  const { db, clock, jobs, mailer, rateLimits } = context;
  await rateLimits.invitePerUser.consume(ownerId, 'Too many invitations.');
  const id = uuidv7();
  const email = request.email || null;
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITE_LIFETIME_MS);
  const token = toInviteToken(context, 'invite', id);
  const emailedToken = email && toInviteToken(context, 'emailed-invite', id);
  await db.transaction(async (tx) => {
    await insertInvite(tx, { id, ownerId, email, token, emailedToken, createdAt, expiresAt });
    if (email) await jobs.enqueue(tx, sendInviteEmailJob, { inviteId: id });
  });
  return {
    id,
    email,
    url: toInviteUrl(context, token),
    expiresAt: expiresAt.toISOString(),
    isEmailed: email !== null && !mailer.isEmbedded,
  };
}

/** @throws NotFoundError also for one that was used */
export async function revokeInvite({ db }: Pick<AppContext, 'db'>, id: string): Promise<void> {
  if (!(await deleteInvite(db, id))) throw new NotFoundError('This invitation was not found.');
}
