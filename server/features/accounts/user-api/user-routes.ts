import { Router } from 'express';
import {
  DisownRequest,
  SecureAccountRequest,
  type SecureAccountResponse,
  UpdateUserRequest,
  VerifyEmailRequest,
} from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { checkSignInPassword } from '../sessions/passwords/check-password.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { disownAccount, requestEmailVerification, verifyEmail } from '../emailed-links/email-verification.ts';
import { secureAccount } from '../emailed-links/secure-account.ts';
import { editUser } from './user-service.ts';
import { presentUser } from '../users/user-presenter.ts';
import type { UserRow } from '../users/user-queries.ts';

export function userRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const router = Router();

  router.get('/api/user', (request, response) => {
    // Its session has ended, perhaps elsewhere: the next person at this browser must not find its photos in the cache.
    if (!request.user && request.headers.cookie) response.set('Clear-Site-Data', '"cache"');
    response.json(presentUser(context, currentUser(request)));
  });

  router.patch('/api/user', requireUser, async (request, response) => {
    const user = await editUser(context, currentUser(request), parseBody(request, UpdateUserRequest));
    response.json(presentUser(context, user));
  });

  router.post('/api/user/verify-email', async (request, response) => {
    const confirmation = parseBody(request, VerifyEmailRequest);
    const visitor = {
      userId: request.user?.id,
      isPasswordRight: (user: UserRow, password: string) =>
        checkSignInPassword(context, request, { email: user.email, user, password }),
    };
    const verify = () => verifyEmail(context, visitor, confirmation);
    await securityLog.attempt('email-verification', { request }, verify, (userId) => userId);
    response.status(204).end();
  });

  router.post('/api/user/verify-email/resend', requireUser, async (request, response) => {
    await requestEmailVerification(context, currentUser(request));
    response.status(202).json({ message: 'We sent you an email with a link.' });
  });

  router.post('/api/user/disown', async (request, response) => {
    const { token } = parseBody(request, DisownRequest);
    const disown = () => disownAccount(context, token);
    await securityLog.attempt('account-disowned', { request }, disown, (userId) => userId);
    response.status(204).end();
  });

  router.post('/api/user/secure', async (request, response) => {
    const { token } = parseBody(request, SecureAccountRequest);
    const secure = () => secureAccount(context, token, requestSource(request, context.clock));
    const { resetToken } = await securityLog.attempt(
      'account-secured',
      { request },
      secure,
      (secured) => secured.userId,
    );
    response.json({ resetToken } satisfies SecureAccountResponse);
  });

  return router;
}
