import { Router } from 'express';
import { AdminUserQuery, UpdateAdminUserRequest, type AdminWarnings } from '#shared/accounts/admin';
import { DeleteAccountRequest } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { cutPage } from '../../../platform/http/responses/next-page-link.ts';
import { idParam, parseBody, parseQuery } from '../../../platform/http/validate.ts';
import { createdAtCursor, toPage } from '../../../platform/pagination.ts';
import { requireAdmin } from '../sessions/access/require-admin.ts';
import { checkConfirmedIdentity, requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { currentUser } from '../sessions/access/require-user.ts';
import {
  createResetLinkAsAdmin,
  deleteUserAsAdmin,
  editUserAsAdmin,
  turnTotpOffAsAdmin,
} from './admin-service.ts';
import { presentAdminUser } from './admin-user-presenter.ts';
import { listUsers } from './admin-user-queries.ts';

export function adminRoutes(context: AppContext & { warnings: () => string[] }): Router {
  const { db } = context;
  const router = Router();

  router.get('/api/admin/users', requireAdmin, async (request, response) => {
    const { search = '', ...query } = parseQuery(request, AdminUserQuery);
    const page = toPage(query, createdAtCursor);
    const rows = await listUsers(db, search, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentAdminUser(context, row)));
  });

  router.get('/api/admin/warnings', requireAdmin, (_request, response) => {
    response.json({ warnings: context.warnings() } satisfies AdminWarnings);
  });

  router.patch('/api/admin/users/:id', requireAdmin, async (request, response) => {
    const userId = idParam(request);
    const changes = parseBody(request, UpdateAdminUserRequest);
    if (changes.isAdmin !== undefined) checkConfirmedIdentity(context, request);
    const user = await editUserAsAdmin(context, currentUser(request).id, userId, changes);
    const { isAsleep, ...others } = changes;
    if (isAsleep === false) context.securityLog.record('deletion-cancelled', 'success', { request, userId });
    if (isAsleep === undefined || Object.keys(others).length > 0)
      context.securityLog.record('account-edited', 'success', { request, userId, details: others });
    response.json(presentAdminUser(context, user));
  });

  router.delete('/api/admin/users/:id', requireAdmin, async (request, response) => {
    const userId = idParam(request);
    const { username } = parseBody(request, DeleteAccountRequest);
    await deleteUserAsAdmin(context, currentUser(request).id, userId, username);
    context.securityLog.record('deletion-requested', 'success', { request, userId });
    response.status(204).end();
  });

  router.post(
    '/api/admin/users/:id/password-reset',
    requireAdmin,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const userId = idParam(request);
      const link = await createResetLinkAsAdmin(context, currentUser(request).id, userId);
      const details = { isEmailed: link.url === null };
      context.securityLog.record('reset-link-created', 'success', { request, userId, details });
      response.json(link);
    },
  );

  router.delete(
    '/api/admin/users/:id/totp',
    requireAdmin,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const userId = idParam(request);
      const wasOn = await turnTotpOffAsAdmin(context, userId);
      if (wasOn) context.securityLog.record('totp-off', 'success', { request, userId });
      response.status(204).end();
    },
  );

  return router;
}
