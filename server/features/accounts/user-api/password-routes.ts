import { Router } from 'express';
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  type ResetPasswordPreview,
  ResetPasswordPreviewRequest,
  ResetPasswordRequest,
  type ResetPasswordResponse,
} from '#shared/accounts/user';
import { paths } from '#shared/api/page-paths';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { previewPasswordReset, requestPasswordReset } from '../emailed-links/forgotten-password.ts';
import { isTotpOn } from '../second-factors/check-code.ts';
import { checkOwnPassword, markIdentityConfirmed } from '../sessions/access/confirmed-identity.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { findKnownDevice, rememberDevice } from '../sessions/known-device.ts';
import type { UserRow } from '../users/user-queries.ts';
import { changePassword, resetPassword } from './user-service.ts';

export function passwordRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const router = Router();

  router.patch('/api/user/password', requireUser, async (request, response) => {
    const change = parseBody(request, ChangePasswordRequest);
    const user = await securityLog.attempt('password-change', { request }, () =>
      changePassword(context, currentUser(request), change, {
        isPasswordRight: (password) => checkOwnPassword(context, request, password),
        sessionId: request.sessionID,
        source: requestSource(request, context.clock),
      }),
    );
    markIdentityConfirmed(request, context.clock);
    rememberDevice(context, request, response, user);
    response.status(204).end();
  });

  // For password managers: https://www.w3.org/TR/change-password-url/.
  router.get('/.well-known/change-password', (_request, response) => response.redirect(302, paths.account));

  router.post('/api/password/forgot', async (request, response) => {
    const { email } = parseBody(request, ForgotPasswordRequest);
    const ip = clientIp(request);
    await context.rateLimits.passwordResetPerIp.consume(ip);
    const findDevice = (user: UserRow) => findKnownDevice(context, request, user);
    const asker = { clientIp: ip, findKnownDevice: findDevice };
    const { userId, isSent } = await requestPasswordReset(context, email, asker);
    const source = { request, userId: userId ?? undefined };
    securityLog.record('password-reset-request', isSent ? 'success' : 'refused', source);
    response
      .status(202)
      .json({ message: 'If there is an account with this address, an email with a link is on its way.' });
  });

  router.post('/api/password/reset/preview', async (request, response) => {
    const { token } = parseBody(request, ResetPasswordPreviewRequest);
    response.json((await previewPasswordReset(context, token, request)) satisfies ResetPasswordPreview);
  });

  router.post('/api/password/reset', async (request, response) => {
    const change = parseBody(request, ResetPasswordRequest);
    const reset = () => resetPassword(context, change, requestSource(request, context.clock));
    const { user, isSetupRemoved } = await securityLog.attempt(
      'password-reset',
      { request },
      reset,
      (result) => result.user.id,
      ({ link }) => ({ link }),
    );
    // The way in for an owner whose account others slow down. With an authenticator app, the link alone proves too little.
    if (!(await isTotpOn(context, user.id))) rememberDevice(context, request, response, user);
    response.json({ isSetupRemoved } satisfies ResetPasswordResponse);
  });

  return router;
}
