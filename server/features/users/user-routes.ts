import { Router } from 'express';
import {
  ChangePasswordRequest,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  UpdateUserRequest,
  VerifyEmailRequest,
} from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import {
  requestPasswordReset,
  requestEmailVerification,
  changePassword,
  editUser,
  resetPassword,
  verifyEmail,
} from './user-service.ts';
import { presentUser } from './user-presenter.ts';

export function userRoutes(context: AppContext): Router {
  const router = Router();

  router.get('/api/user', requireUser, (request, response) => {
    response.json(presentUser(context, currentUser(request)));
  });

  router.patch('/api/user', requireUser, async (request, response) => {
    const user = await editUser(context, currentUser(request), parseBody(request, UpdateUserRequest));
    response.json(presentUser(context, user));
  });

  router.patch('/api/user/password', requireUser, async (request, response) => {
    const change = parseBody(request, ChangePasswordRequest);
    await changePassword(context, currentUser(request), change, request.sessionID);
    response.status(204).end();
  });

  router.post('/api/user/verify-email', async (request, response) => {
    await verifyEmail(context, parseBody(request, VerifyEmailRequest).token);
    response.status(204).end();
  });

  router.post('/api/user/verify-email/resend', requireUser, async (request, response) => {
    await requestEmailVerification(context, currentUser(request));
    response.status(202).json({ message: 'We sent you an email with a link.' });
  });

  router.post('/api/password/forgot', async (request, response) => {
    await requestPasswordReset(context, parseBody(request, ForgotPasswordRequest).email);
    response
      .status(202)
      .json({ message: 'If there is an account with this address, an email with a link is on its way.' });
  });

  router.post('/api/password/reset', async (request, response) => {
    await resetPassword(context, parseBody(request, ResetPasswordRequest));
    response.status(204).end();
  });

  return router;
}
