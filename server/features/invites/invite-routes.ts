import { Router } from 'express';
import { BecomeAdministratorRequest, CreateInviteRequest, type InvitePreview } from '#shared/invite';
import type { AppContext } from '../../platform/context.ts';
import { idParam, parseBody, tokenParam } from '../../platform/http/validate.ts';
import { requireAdmin } from '../sessions/require-admin.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { presentUser } from '../users/user-presenter.ts';
import { becomeAdministrator, getUsableInvite } from './accept-invite.ts';
import { createInvite, listInvites, revokeInvite } from './invite-service.ts';

export function inviteRoutes(context: AppContext): Router {
  const router = Router();

  router.get('/api/invites/:token', async (request, response) => {
    const { email, expiresAt, kind } = await getUsableInvite(context, tokenParam(request), request);
    const preview: InvitePreview = {
      email,
      expiresAt: expiresAt.toISOString(),
      isForAdministrator: kind === 'administrator',
    };
    response.json(preview);
  });

  router.post('/api/user/administrator', requireUser, async (request, response) => {
    const { inviteToken } = parseBody(request, BecomeAdministratorRequest);
    const user = await becomeAdministrator(context, currentUser(request), inviteToken, request);
    context.securityLog.record('account-edited', 'success', { request, details: { isAdmin: true } });
    response.json(presentUser(context, user));
  });

  router.get('/api/admin/invites', requireAdmin, async (_request, response) => {
    response.json(await listInvites(context));
  });

  router.post('/api/admin/invites', requireAdmin, async (request, response) => {
    const invite = await createInvite(
      context,
      currentUser(request).id,
      parseBody(request, CreateInviteRequest),
    );
    context.securityLog.record('invite-created', 'success', { request, details: { inviteId: invite.id } });
    response.status(201).json(invite);
  });

  router.delete('/api/admin/invites/:id', requireAdmin, async (request, response) => {
    const inviteId = idParam(request);
    await revokeInvite(context, inviteId);
    context.securityLog.record('invite-revoked', 'success', { request, details: { inviteId } });
    response.status(204).end();
  });

  return router;
}
