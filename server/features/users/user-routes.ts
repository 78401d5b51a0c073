import { Router } from 'express';
import {
  ChangePasswordRequest,
  DisownRequest,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  type ResetPasswordResponse,
  UpdateUserRequest,
  VerifyEmailRequest,
} from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { rememberDevice } from '../sessions/known-device.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { disownAccount, requestEmailVerification, verifyEmail } from './email-verification.ts';
import { changePassword, editUser, requestPasswordReset, resetPassword } from './user-service.ts';
import { presentUser } from './user-presenter.ts';

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

  router.patch('/api/user/password', requireUser, async (request, response) => {
    const change = parseBody(request, ChangePasswordRequest);
    await securityLog.attempt('password-change', { request }, () =>
      changePassword(context, currentUser(request), change, request.sessionID),
    );
    response.status(204).end();
  });

  router.post('/api/user/verify-email', async (request, response) => {
    const confirmation = parseBody(request, VerifyEmailRequest);
    const verify = () => verifyEmail(context, request.user, confirmation);
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

  router.post('/api/password/forgot', async (request, response) => {
    const { email } = parseBody(request, ForgotPasswordRequest);
    const ask = () => requestPasswordReset(context, email);
    await securityLog.attempt('password-reset-request', { request }, ask, (userId) => userId);
    response
      .status(202)
      .json({ message: 'If there is an account with this address, an email with a link is on its way.' });
  });

  router.post('/api/password/reset', async (request, response) => {
    const change = parseBody(request, ResetPasswordRequest);
    const reset = () => resetPassword(context, change);
    const { userId, isSetupRemoved } = await securityLog.attempt(
      'password-reset',
      { request },
      reset,
      (result) => result.userId,
    );
    // The way in for an owner whose account others slow down.
    rememberDevice(context, request, response, userId);
    response.json({ isSetupRemoved } satisfies ResetPasswordResponse);
  });

  return router;
}
