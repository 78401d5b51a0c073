import { Router } from 'express';
import { AdminUserQuery, DeleteAdminUserRequest, UpdateAdminUserRequest } from '#shared/admin';
import type { AppContext } from '../../platform/context.ts';
import { cutPage } from '../../platform/http/next-page-link.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { requireAdmin } from '../sessions/require-admin.ts';
import { currentUser } from '../sessions/require-user.ts';
import { createResetLinkAsAdmin, deleteUserAsAdmin, editUserAsAdmin } from './admin-service.ts';
import { presentAdminUser } from './admin-user-presenter.ts';
import { listUsers } from './admin-user-queries.ts';

export function adminRoutes(context: AppContext): Router {
  const { config, db } = context;
  const router = Router();

  router.get('/api/admin/users', requireAdmin, async (request, response) => {
    const { search = '', ...query } = parseQuery(request, AdminUserQuery);
    const page = toPage(query, createdAtCursor);
    const rows = await listUsers(db, search, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentAdminUser(config, row)));
  });

  router.patch('/api/admin/users/:id', requireAdmin, async (request, response) => {
    const userId = idParam(request);
    const changes = parseBody(request, UpdateAdminUserRequest);
    const user = await editUserAsAdmin(context, currentUser(request).id, userId, changes);
    context.securityLog.record('account-edited', 'success', { request, userId, details: changes });
    response.json(presentAdminUser(config, user));
  });

  router.delete('/api/admin/users/:id', requireAdmin, async (request, response) => {
    const userId = idParam(request);
    const { username } = parseBody(request, DeleteAdminUserRequest);
    await deleteUserAsAdmin(context, currentUser(request).id, userId, username);
    context.securityLog.record('account-deleted', 'success', { request, userId });
    response.status(204).end();
  });

  router.post('/api/admin/users/:id/password-reset', requireAdmin, async (request, response) => {
    const userId = idParam(request);
    const link = await createResetLinkAsAdmin(context, userId);
    context.securityLog.record('reset-link-created', 'success', { request, userId });
    response.json(link);
  });

  return router;
}
