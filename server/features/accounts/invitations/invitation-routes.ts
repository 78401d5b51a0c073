import { Router, type RequestHandler } from 'express';
import {
  BecomeAdministratorRequest,
  CreateInvitationRequest,
  type InvitationPreview,
} from '#shared/accounts/invitation';
import type { AppContext } from '../../../platform/context.ts';
import { idParam, parseBody, tokenParam } from '../../../platform/http/validate.ts';
import { requireAdmin } from '../sessions/access/require-admin.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { presentUser } from '../users/user-presenter.ts';
import { becomeAdministrator, getUsableInvitation } from './accept-invitation.ts';
import { createInvitation, listInvitations, revokeInvitation } from './invitation-service.ts';

export function invitationRoutes(context: AppContext): Router {
  const router = Router();

  router.get('/api/invitations/:token', async (request, response) => {
    const { email, expiresAt, kind } = await getUsableInvitation(context, tokenParam(request), request);
    const preview: InvitationPreview = {
      email,
      expiresAt: expiresAt.toISOString(),
      isForAdministrator: kind === 'administrator',
    };
    response.json(preview);
  });

  router.post('/api/user/administrator', requireUser, async (request, response) => {
    const { invitationToken } = parseBody(request, BecomeAdministratorRequest);
    const user = await becomeAdministrator(context, currentUser(request), invitationToken, request);
    context.securityLog.record('account-edited', 'success', { request, details: { isAdmin: true } });
    response.json(presentUser(context, user));
  });

  router.get('/api/admin/invitations', requireAdmin, async (_request, response) => {
    response.json(await listInvitations(context));
  });

  router.post('/api/admin/invitations', requireAdmin, async (request, response) => {
    const invitation = await createInvitation(
      context,
      currentUser(request).id,
      parseBody(request, CreateInvitationRequest),
    );
    context.securityLog.record('invitation-created', 'success', {
      request,
      details: { invitationId: invitation.id },
    });
    response.status(201).json(invitation);
  });

  const revoke: RequestHandler = async (request, response) => {
    const invitationId = idParam(request);
    await revokeInvitation(context, invitationId);
    context.securityLog.record('invitation-revoked', 'success', { request, details: { invitationId } });
    response.status(204).end();
  };
  router.delete('/api/admin/invitations/:id', requireAdmin, revoke);
  // A page of an earlier release hides that its path is missing, and the invitation would still work.
  router.delete('/api/admin/invites/:id', requireAdmin, revoke);

  return router;
}
