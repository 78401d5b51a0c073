import * as z from 'zod/mini';
import { Activity } from '#shared/accounts/activity';
import { SendVerificationRequest, SendVerificationResponse, VerifyPhoneRequest } from '#shared/text/phone';
import { ConnectedIdentity } from '#shared/accounts/oidc';
import { Passkey, RenamePasskeyRequest } from '#shared/accounts/passkey';
import { CodeRequest, RecoveryCodes, SecondFactor, TotpSetup } from '#shared/accounts/second-factor';
import {
  ChangeEmailRequest,
  ChangePasswordRequest,
  ConfirmEmailChangeRequest,
  DeleteAccountRequest,
  DisownRequest,
  ForgotPasswordRequest,
  PendingEmailChange,
  ResetPasswordPreview,
  ResetPasswordPreviewRequest,
  ResetPasswordRequest,
  ResetPasswordResponse,
  StartAgainPreview,
  StartAgainPreviewRequest,
  StartAgainRequest,
  SecureAccountRequest,
  SecureAccountResponse,
  UndoEmailChangeRequest,
  UndoEmailChangeResponse,
  UpdateUserRequest,
  User,
  VerifyEmailRequest,
} from '#shared/accounts/user';
import type { FakeState } from '../state/fake-state.ts';
import { definedOnly, FakeError, fieldError, findById, removeById } from '../state/items.ts';
import { command, list, parseBody, route } from './route.ts';

const USER = '/api/user';
const Message = z.object({ message: z.string() });
const isPublic = true;
const needsConfirmedIdentity = true;
/** The token of any link that works. */
export const TOKEN = 'token';
const invalidLink = () => fieldError(422, 'token', 'This link no longer works. Please request a new one.');

export const userRoutes = [
  route(`GET ${USER}`, User, ({ state }) => state.user),
  route(`PATCH ${USER}`, User, (call) => {
    const { username, firstName, lastName } = parseBody(call, UpdateUserRequest);
    const { user, people } = call.state;
    const names = {
      ...definedOnly({ username }),
      ...(firstName !== undefined && { firstName: firstName || null }),
      ...(lastName !== undefined && { lastName: lastName || null }),
    };
    for (const person of people) if (person.id === user.id) Object.assign(person, names);
    return Object.assign(user, names);
  }),
  command(
    `DELETE ${USER}`,
    (call) => {
      const { username, code = '' } = parseBody(call, DeleteAccountRequest);
      const { state } = call;
      checkUsername(state.user, username);
      if (state.secondFactor.totpSince !== null) checkCode(state, code);
      state.isSignedIn = false;
    },
    { needsConfirmedIdentity },
  ),
  command(`PATCH ${USER}/password`, (call) => {
    const { currentPassword, password } = parseBody(call, ChangePasswordRequest);
    if (currentPassword !== call.state.password)
      throw fieldError(422, 'currentPassword', 'This is not your current password');
    call.state.password = password;
  }),
  route(
    `PATCH ${USER}/email`,
    Message,
    (call) => {
      const { email } = parseBody(call, ChangeEmailRequest);
      const { state } = call;
      if (email === state.user.email) throw fieldError(422, 'email', 'This is your email address already');
      state.pendingEmail = { email, expiresAt: state.now };
      return { message: `We sent a link to ${email}.` };
    },
    { status: 202, needsConfirmedIdentity },
  ),
  route(`GET ${USER}/email/change`, PendingEmailChange, ({ state }) => ({ pending: state.pendingEmail })),
  command(`DELETE ${USER}/email/change`, ({ state }) => {
    state.pendingEmail = null;
  }),
  command(`POST ${USER}/email/confirm`, (call) => {
    if (parseBody(call, ConfirmEmailChangeRequest).token !== TOKEN) throw invalidLink();
    const { state } = call;
    state.previousEmail = state.user.email;
    state.user.email = state.pendingEmail?.email ?? state.user.email;
    state.pendingEmail = null;
  }),
  route(
    `POST ${USER}/email/undo`,
    UndoEmailChangeResponse,
    (call) => {
      if (parseBody(call, UndoEmailChangeRequest).token !== TOKEN) throw invalidLink();
      const { state } = call;
      state.user.email = state.previousEmail ?? state.user.email;
      Object.assign(state, { isSignedIn: false, password: '' });
      return { resetToken: TOKEN };
    },
    { isPublic },
  ),
  route(
    `POST ${USER}/secure`,
    SecureAccountResponse,
    (call) => {
      if (parseBody(call, SecureAccountRequest).token !== TOKEN) throw invalidLink();
      return { resetToken: TOKEN };
    },
    { isPublic },
  ),
  command(
    `POST ${USER}/verify-email`,
    (call) => {
      if (parseBody(call, VerifyEmailRequest).token !== TOKEN) throw invalidLink();
      Object.assign(call.state.user, { emailVerified: true, verifyEmailBy: null });
    },
    { isPublic },
  ),
  route(
    `POST ${USER}/verify-email/resend`,
    Message,
    () => ({ message: 'We sent you an email with a link.' }),
    { status: 202 },
  ),
  command(
    `POST ${USER}/disown`,
    (call) => {
      if (parseBody(call, DisownRequest).token !== TOKEN) throw invalidLink();
      call.state.isSignedIn = false;
    },
    { isPublic },
  ),
  route(
    'POST /api/password/forgot',
    Message,
    (call) => {
      parseBody(call, ForgotPasswordRequest);
      return { message: 'If there is an account with this address, an email with a link is on its way.' };
    },
    { isPublic, status: 202 },
  ),
  route(
    'POST /api/password/reset/preview',
    ResetPasswordPreview,
    (call) => {
      if (parseBody(call, ResetPasswordPreviewRequest).token !== TOKEN) throw invalidLink();
      return { email: call.state.user.email };
    },
    { isPublic },
  ),
  route(
    'POST /api/password/reset',
    ResetPasswordResponse,
    (call) => {
      const { token, password } = parseBody(call, ResetPasswordRequest);
      if (token !== TOKEN) throw invalidLink();
      Object.assign(call.state, { isSignedIn: false, password });
      return { isSetupRemoved: false };
    },
    { isPublic },
  ),
  route(
    'POST /api/register/again/preview',
    StartAgainPreview,
    (call) => {
      if (parseBody(call, StartAgainPreviewRequest).token !== TOKEN) throw invalidLink();
      return { photoCount: call.state.album.memories.length, petCount: call.state.pets.length };
    },
    { isPublic },
  ),
  route(
    'POST /api/register/again',
    User,
    (call) => {
      const { token, username, password } = parseBody(call, StartAgainRequest);
      if (token !== TOKEN) throw invalidLink();
      Object.assign(call.state, { isSignedIn: true, password });
      return Object.assign(call.state.user, { username, emailVerified: true, verifyEmailBy: null });
    },
    { isPublic, status: 201 },
  ),
  list(`GET ${USER}/activity`, Activity, ({ state }) => state.activity),

  route(
    'POST /api/sms/send-verification',
    SendVerificationResponse,
    (call) => {
      const { phoneNumber } = parseBody(call, SendVerificationRequest);
      return { message: `We sent a code to ${phoneNumber}.` };
    },
    { needsConfirmedIdentity },
  ),
  route('POST /api/sms/verify', User, (call) => {
    const { phoneNumber, code } = parseBody(call, VerifyPhoneRequest);
    if (code !== call.state.code)
      throw new FakeError(422, 'Please check your code and try again', {
        fields: { code: 'Please check your code and try again' },
      });
    return Object.assign(call.state.user, { phoneNumber, phoneVerified: true });
  }),
  command(
    'DELETE /api/sms/number',
    ({ state }) => {
      Object.assign(state.user, { phoneNumber: null, phoneVerified: false });
    },
    { needsConfirmedIdentity },
  ),

  route(`GET ${USER}/second-factor`, SecondFactor, ({ state }) => state.secondFactor),
  route(
    `POST ${USER}/totp`,
    TotpSetup,
    ({ state }) => {
      if (state.secondFactor.totpSince !== null)
        throw new FakeError(
          409,
          'Your authenticator app is set up already. Turn it off first to use another one.',
        );
      state.isTotpStarted = true;
      const secret = 'JBSWY3DPEHPK3PXP';
      return { secret, uri: `otpauth://totp/Mems:${state.user.email}?secret=${secret}` };
    },
    { status: 201, needsConfirmedIdentity },
  ),
  route(`POST ${USER}/totp/confirm`, RecoveryCodes, (call) => {
    const { code } = parseBody(call, CodeRequest);
    const { state } = call;
    if (!state.isTotpStarted) throw new FakeError(409, 'Please start again and scan the new code.');
    if (code !== state.code)
      throw fieldError(
        422,
        'code',
        'This is not the code that your app should show. Please enter the newest one.',
      );
    state.secondFactor = { totpSince: state.now, recoveryCodesLeft: RECOVERY_CODES.length };
    return { codes: RECOVERY_CODES };
  }),
  command(
    `DELETE ${USER}/totp`,
    ({ state }) => {
      state.secondFactor = { totpSince: null, recoveryCodesLeft: 0 };
    },
    { needsConfirmedIdentity },
  ),
  route(
    `POST ${USER}/recovery-codes`,
    RecoveryCodes,
    ({ state }) => {
      if (state.secondFactor.totpSince === null) throw new FakeError(409, 'No authenticator app is set up.');
      state.secondFactor.recoveryCodesLeft = RECOVERY_CODES.length;
      return { codes: RECOVERY_CODES };
    },
    { needsConfirmedIdentity },
  ),

  list(`GET ${USER}/passkeys`, Passkey, ({ state }) => state.passkeys),
  route(`PATCH ${USER}/passkeys/:id`, Passkey, (call) => {
    const { name } = parseBody(call, RenamePasskeyRequest);
    return Object.assign(findById(call.state.passkeys, call.params['id']), { name });
  }),
  command(`DELETE ${USER}/passkeys/:id`, ({ state, params }) => removeById(state.passkeys, params['id']), {
    needsConfirmedIdentity,
  }),

  list('GET /api/oidc/identities', ConnectedIdentity, ({ state }) => state.identities),
  command(
    'DELETE /api/oidc/identities/:id',
    ({ state, params }) => removeById(state.identities, params['id'], 'This is disconnected already.'),
    {
      needsConfirmedIdentity,
    },
  ),
];

export const RECOVERY_CODES = ['abcd-efgh-jkmn', 'pqrs-tuvw-xyz2'];

export function checkUsername(user: { username: string }, typed: string): void {
  if (typed !== user.username) throw fieldError(422, 'username', `Please type ${user.username} to confirm.`);
}

function checkCode({ code }: FakeState, typed: string): void {
  if (!typed.trim()) throw fieldError(422, 'code', 'Please enter your code');
  if (![code, ...RECOVERY_CODES].includes(typed))
    throw fieldError(422, 'code', 'This is not one of your recovery codes.');
}
