import {
  AdminUser,
  AdminUserQuery,
  AdminWarnings,
  LAST_ADMIN,
  NO_LINK_FOR_ADMIN,
  PasswordResetLink,
  UpdateAdminUserRequest,
} from '#shared/admin';
import * as z from 'zod/mini';
import { AdminBackup } from '#shared/backup';
import {
  BecomeAdministratorRequest,
  CreatedInvite,
  CreateInviteRequest,
  Invite,
  InvitePreview,
} from '#shared/invite';
import { DeleteAccountRequest, User } from '#shared/user';
import { newId } from './fake-state.ts';
import { definedOnly, FakeError, findById, notFound, parse, removeById } from './items.ts';
import { command, list, parseBody, route, type Call } from './route.ts';
import { checkUsername } from './user-routes.ts';

const USERS = '/api/admin/users';
const INVITES = '/api/admin/invites';
const INVALID_INVITE = 'This invitation is no longer valid. Ask for a new one.';
/** Of the link that the start prints. */
export const ADMINISTRATOR_TOKEN = 'administrator-token';
const isForAdmins = true;
const needsProof = true;

export const adminRoutes = [
  list(
    `GET ${USERS}`,
    AdminUser,
    ({ state, query }) => {
      const { search = '' } = parse(query, AdminUserQuery);
      return state.people.filter(({ username, email }) =>
        `${username} ${email}`.includes(search.toLowerCase()),
      );
    },
    { isForAdmins },
  ),
  route(
    `PATCH ${USERS}/:id`,
    AdminUser,
    (call) => {
      const { isAsleep, storageLimitBytes, ...changes } = parseBody(call, UpdateAdminUserRequest);
      const person = personOf(call);
      if (person.isLastAdmin && (changes.isAdmin === false || changes.isDisabled))
        throw new FakeError(409, LAST_ADMIN);
      return Object.assign(person, {
        ...definedOnly(changes),
        ...(isAsleep === false && { deletionDueAt: null }),
        ...(storageLimitBytes !== undefined && {
          storageLimitBytes: storageLimitBytes ?? call.state.storage.limitBytes,
          hasOwnStorageLimit: storageLimitBytes !== null,
        }),
      });
    },
    { isForAdmins },
  ),
  command(
    `DELETE ${USERS}/:id`,
    (call) => {
      const { username } = parseBody(call, DeleteAccountRequest);
      const person = personOf(call);
      checkUsername(person, username);
      person.deletionDueAt = call.state.now;
    },
    { isForAdmins },
  ),
  route(
    `POST ${USERS}/:id/password-reset`,
    PasswordResetLink,
    (call) => {
      if (personOf(call).isAdmin) throw new FakeError(409, NO_LINK_FOR_ADMIN);
      return { url: `${call.state.origin}/reset-password#token` };
    },
    { isForAdmins, needsProof },
  ),
  command(
    `DELETE ${USERS}/:id/totp`,
    (call) => {
      personOf(call).isTotpOn = false;
    },
    { isForAdmins, needsProof },
  ),
  route('GET /api/admin/backup', AdminBackup, ({ state }) => ({ backup: state.backup }), { isForAdmins }),
  route('GET /api/admin/warnings', AdminWarnings, ({ state }) => ({ warnings: state.warnings }), {
    isForAdmins,
  }),
  route(`GET ${INVITES}`, z.array(Invite), ({ state }) => state.invites, { isForAdmins }),
  route(`POST ${INVITES}`, CreatedInvite, createInvite, { isForAdmins, status: 201 }),
  command(
    `DELETE ${INVITES}/:id`,
    ({ state, params }) => removeById(state.invites, params['id'], 'This invitation was not found.'),
    { isForAdmins },
  ),
  route(
    'GET /api/invites/:token',
    InvitePreview,
    ({ state, params }) => {
      const invite = state.invites.find(({ url }) => url.endsWith(`=${params['token']}`));
      if (!invite) throw notFound(INVALID_INVITE);
      const isForAdministrator = params['token'] === ADMINISTRATOR_TOKEN;
      return { email: invite.email, expiresAt: invite.expiresAt, isForAdministrator };
    },
    { isPublic: true },
  ),
  route('POST /api/user/administrator', User, (call) => {
    const { inviteToken } = parseBody(call, BecomeAdministratorRequest);
    const { user, invites } = call.state;
    if (inviteToken !== ADMINISTRATOR_TOKEN || !invites.some(({ url }) => url.endsWith(`=${inviteToken}`)))
      throw notFound(INVALID_INVITE);
    user.isAdmin = true;
    return user;
  }),
];

function personOf({ state, params }: Call): AdminUser {
  return findById(state.people, params['id'], 'This person was not found.');
}

function createInvite(call: Call): z.infer<typeof CreatedInvite> {
  const email = parseBody(call, CreateInviteRequest).email || null;
  const { state } = call;
  const id = newId(state);
  const invite = { id, email, url: `${state.origin}/auth?invite=${id}`, expiresAt: state.now };
  state.invites.unshift({ ...invite, createdBy: state.user.username, createdAt: state.now });
  return { ...invite, isEmailed: false };
}
