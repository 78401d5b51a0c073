import {
  AdminUser,
  AdminUserQuery,
  AdminWarnings,
  LAST_ADMIN,
  NO_LINK_FOR_ADMIN,
  PasswordResetLink,
  UpdateAdminUserRequest,
} from '#shared/accounts/admin';
import * as z from 'zod/mini';
import { AdminBackup } from '#shared/transfers/backup';
import {
  BecomeAdministratorRequest,
  CreatedInvitation,
  CreateInvitationRequest,
  Invitation,
  InvitationPreview,
} from '#shared/accounts/invitation';
import { DeleteAccountRequest, User } from '#shared/accounts/user';
import { newId } from '../state/fake-state.ts';
import { definedOnly, FakeError, findById, notFound, parse, removeById } from '../state/items.ts';
import { command, list, parseBody, route, type Call } from './route.ts';
import { checkUsername } from './user-routes.ts';

const USERS = '/api/admin/users';
const INVITATIONS = '/api/admin/invitations';
const INVALID_INVITATION = 'This invitation is no longer valid. Ask for a new one.';
/** Of the link that the start prints. */
export const ADMINISTRATOR_TOKEN = 'administrator-token';
const isForAdmins = true;
const needsConfirmedIdentity = true;

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
      if (person.id === call.state.user.id && storageLimitBytes)
        call.state.storage.limitBytes = storageLimitBytes;
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
    { isForAdmins, needsConfirmedIdentity },
  ),
  command(
    `DELETE ${USERS}/:id/totp`,
    (call) => {
      personOf(call).isTotpOn = false;
    },
    { isForAdmins, needsConfirmedIdentity },
  ),
  route('GET /api/admin/backup', AdminBackup, ({ state }) => ({ backup: state.backup }), { isForAdmins }),
  route('GET /api/admin/warnings', AdminWarnings, ({ state }) => ({ warnings: state.warnings }), {
    isForAdmins,
  }),
  route(`GET ${INVITATIONS}`, z.array(Invitation), ({ state }) => state.invitations, { isForAdmins }),
  route(`POST ${INVITATIONS}`, CreatedInvitation, createInvitation, { isForAdmins, status: 201 }),
  command(
    `DELETE ${INVITATIONS}/:id`,
    ({ state, params }) => removeById(state.invitations, params['id'], 'This invitation was not found.'),
    { isForAdmins },
  ),
  route(
    'GET /api/invitations/:token',
    InvitationPreview,
    ({ state, params }) => {
      const invitation = state.invitations.find(({ url }) => url.endsWith(`=${params['token']}`));
      if (!invitation) throw notFound(INVALID_INVITATION);
      const isForAdministrator = params['token'] === ADMINISTRATOR_TOKEN;
      return { email: invitation.email, expiresAt: invitation.expiresAt, isForAdministrator };
    },
    { isPublic: true },
  ),
  route('POST /api/user/administrator', User, (call) => {
    const { invitationToken } = parseBody(call, BecomeAdministratorRequest);
    const { user, invitations } = call.state;
    if (
      invitationToken !== ADMINISTRATOR_TOKEN ||
      !invitations.some(({ url }) => url.endsWith(`=${invitationToken}`))
    )
      throw notFound(INVALID_INVITATION);
    user.isAdmin = true;
    return user;
  }),
];

function personOf({ state, params }: Call): AdminUser {
  return findById(state.people, params['id'], 'This person was not found.');
}

function createInvitation(call: Call): z.infer<typeof CreatedInvitation> {
  const email = parseBody(call, CreateInvitationRequest).email || null;
  const { state } = call;
  const id = newId(state);
  const invitation = { id, email, url: `${state.origin}/auth?invite=${id}`, expiresAt: state.now };
  state.invitations.unshift({ ...invitation, createdBy: state.user.username, createdAt: state.now });
  return { ...invitation, isEmailed: false };
}
