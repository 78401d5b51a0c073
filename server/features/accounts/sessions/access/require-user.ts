import type { Request, RequestHandler } from 'express';
import { UnauthorizedError } from '../../../../platform/errors.ts';
import type { UserRow } from '../../users/user-queries.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface User extends UserRow {}
  }
}

/** Responds with 401 when no user is signed in. Every route that is not public has it. */
export const requireUser: RequestHandler = (request, _response, next) => {
  currentUser(request);
  next();
};

export function currentUser(request: Request): UserRow {
  if (!request.user) throw new UnauthorizedError();
  return request.user;
}
