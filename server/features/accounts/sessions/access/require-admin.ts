import type { RequestHandler } from 'express';
import { ForbiddenError } from '../../../../platform/errors.ts';
import { currentUser } from './require-user.ts';

export const ADMINS_ONLY = 'Only administrators may do this';

/** Responds with 401 without a session and 403 for others than administrators. */
export const requireAdmin: RequestHandler = (request, _response, next) => {
  if (!currentUser(request).isAdmin) throw new ForbiddenError(ADMINS_ONLY);
  next();
};
