import * as z from 'zod/mini';
import { CodeRequest, SecondFactorNeeded, SIGN_IN_EXPIRED } from '#shared/accounts/second-factor';
import { ConfirmIdentityRequest, UserSession } from '#shared/accounts/session';
import { LoginRequest, RegisterRequest, User } from '#shared/accounts/user';
import { emptyState } from '../state/fake-state.ts';
import { definedOnly, FakeError, fieldError, removeById } from '../state/items.ts';
import { command, list, parseBody, route, type Call } from './route.ts';
import { RECOVERY_CODES } from './user-routes.ts';

const isPublic = true;
const WRONG_CODE = 'This code is wrong or has expired. Please enter the one that your app shows now.';

export const sessionRoutes = [
  route('POST /api/register', User, register, { isPublic, status: 201 }),
  route('POST /api/login', z.union([User, SecondFactorNeeded]), signIn, { isPublic }),
  route(
    'POST /api/login/code',
    User,
    (call) => {
      const { code } = parseBody(call, CodeRequest);
      const { state } = call;
      if (!state.isCodeNeeded)
        throw new FakeError(401, 'Please enter your password again.', { code: SIGN_IN_EXPIRED });
      if (![state.code, ...RECOVERY_CODES].includes(code))
        throw fieldError(
          422,
          'code',
          /^\d{6}$/.test(code) ? WRONG_CODE : 'This is not one of your recovery codes.',
        );
      Object.assign(state, { isSignedIn: true, isCodeNeeded: false });
      return state.user;
    },
    { isPublic },
  ),
  command(
    'GET /api/login',
    ({ headers }) => {
      Object.assign(headers, { Location: '/auth', 'Content-Type': 'text/plain' });
    },
    { isPublic, status: 302 },
  ),
  command('POST /api/logout', signOut, { isPublic }),
  command('POST /api/logout/all', signOut),
  command('POST /api/session/proof', (call) => {
    const { password } = parseBody(call, ConfirmIdentityRequest);
    if (password !== call.state.password) {
      const message = 'This is not your password';
      throw new FakeError(403, message, { fields: { password: message } });
    }
    call.state.isIdentityUnconfirmed = false;
  }),
  list('GET /api/sessions', UserSession, ({ state }) => state.sessions),
  command('DELETE /api/sessions/:id', ({ state, params }) =>
    removeById(state.sessions, params['id'], 'This device is already signed out.'),
  ),
  command('DELETE /api/sessions', ({ state }) => {
    state.sessions = state.sessions.filter(({ isCurrent }) => isCurrent);
  }),
];

function register(call: Call): User {
  const { password, invitationToken: _, ...fields } = parseBody(call, RegisterRequest);
  const { state } = call;
  const taken = {
    ...(isSame(fields.email, state.user.email) && {
      email: 'An account with this email address already exists',
    }),
    ...(isSame(fields.username, state.user.username) && { username: 'This username is already taken' }),
  };
  if (Object.keys(taken).length > 0)
    throw new FakeError(409, Object.values(taken).join('. '), { fields: taken });
  Object.assign(state, { password, isSignedIn: true });
  const { inboundEmail, isAdmin } = state.user;
  const verification = state.sendsEmail && { emailVerified: false, verifyEmailBy: state.now };
  state.user = { ...emptyState().user, inboundEmail, isAdmin, ...verification, ...definedOnly(fields) };
  return state.user;
}

function signIn(call: Call): User | SecondFactorNeeded {
  const { email, password } = parseBody(call, LoginRequest);
  const { state } = call;
  if (!isSame(email, state.user.email) || password !== state.password)
    throw new FakeError(401, 'Invalid email or password');
  if (state.secondFactor.totpSince !== null) {
    state.isCodeNeeded = true;
    call.status = 202;
    return { secondFactor: true };
  }
  state.isSignedIn = true;
  return state.user;
}

function signOut({ state }: Call): void {
  state.isSignedIn = false;
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
