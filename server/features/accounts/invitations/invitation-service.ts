import { v7 as uuidv7 } from 'uuid';
import type { CreatedInvitation, CreateInvitationRequest, Invitation } from '#shared/accounts/invitation';
import type { AppContext } from '../../../platform/context.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { INVITATION_LIFETIME_MS } from './accept-invitation.ts';
import { deleteInvitation, insertInvitation, listOpenInvitations } from './invitation-queries.ts';
import { toInvitationToken, toInvitationUrl } from './invitation-token.ts';
import { sendInvitationEmailJob } from './send-invitation-email-job.ts';

export async function listInvitations(
  context: Pick<AppContext, 'db' | 'clock' | 'keyedHash' | 'baseUrl'>,
): Promise<Invitation[]> {
  const rows = await listOpenInvitations(context.db, context.clock.now());
  return rows.map(({ id, email, inviterName, createdAt, expiresAt }) => ({
    id,
    email,
    url: toInvitationUrl(context, toInvitationToken(context, 'invite', id)),
    createdBy: inviterName,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws TooManyRequestsError */
export async function createInvitation(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'keyedHash' | 'baseUrl' | 'mailer' | 'rateLimits'>,
  ownerId: string,
  request: CreateInvitationRequest,
): Promise<CreatedInvitation> {
  const { db, clock, jobs, mailer, rateLimits } = context;
  await rateLimits.invitationPerUser.consume(ownerId, 'Too many invitations.');
  const id = uuidv7();
  const email = request.email || null;
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
  const token = toInvitationToken(context, 'invite', id);
  const emailedToken = email && toInvitationToken(context, 'emailed-invite', id);
  await db.transaction(async (tx) => {
    await insertInvitation(tx, { id, ownerId, email, token, emailedToken, createdAt, expiresAt });
    if (email) await jobs.enqueue(tx, sendInvitationEmailJob, { invitationId: id });
  });
  return {
    id,
    email,
    url: toInvitationUrl(context, token),
    expiresAt: expiresAt.toISOString(),
    isEmailed: email !== null && !mailer.isEmbedded,
  };
}

/** @throws NotFoundError also for one that was used */
export async function revokeInvitation({ db }: Pick<AppContext, 'db'>, id: string): Promise<void> {
  if (!(await deleteInvitation(db, id))) throw new NotFoundError('This invitation was not found.');
}
