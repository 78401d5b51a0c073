import type { Request, Response } from 'express';
import type { AppContext } from '../../../platform/context.ts';
import { deferred } from './deferred.ts';
import { sessionCookieName, sessionCookieOptions } from './session-middleware.ts';

/** Responds with 204. */
export async function endSession(
  { config }: Pick<AppContext, 'config'>,
  request: Request,
  response: Response,
): Promise<void> {
  const { promise, done } = deferred();
  request.session.destroy(done);
  await promise;
  response.clearCookie(sessionCookieName(config), sessionCookieOptions(config));
  // The browser's cache holds private images.
  response.set('Clear-Site-Data', '"cache"').status(204).end();
}
