import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeServer, routes, type FakeResponse } from '../../client/src/testing/fake-server/fake-server.ts';
import { emptyState, idOf } from '../../client/src/testing/fake-server/fake-state.ts';
import { TOKEN } from '../../client/src/testing/fake-server/user-routes.ts';
import { oidcIdentities } from '../../server/platform/db/schema/oidc.ts';
import { petForm } from '../../server/testing/factories.ts';
import { pushEmail } from '../../server/testing/inbound-email.ts';
import { file, multipart } from '../../server/testing/mime.ts';
import { addTestPasskey } from '../../server/testing/passkey.ts';
import { makePhoto } from '../../server/testing/photos.ts';
import type { TestClient } from '../../server/testing/test-client.ts';
import { startSmtpServer, type TestSmtpServer } from '../../server/testing/smtp-server.ts';
import { startTestServer } from '../../server/testing/test-server.ts';
import { totpCode } from '../../server/testing/totp.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../server/testing/twilio-server.ts';

/** The fake server answers these calls as the real one does, or browser tests over it would prove nothing. */

/** Routes that no screen calls, or whose answer needs the real thing. */
const NOT_FAKED = [
  'GET /api/health',
  'GET /api/health/ready',
  // Ceremonies of an authenticator.
  'POST /api/login/passkey',
  'POST /api/login/passkey/options',
  'POST /api/session/proof/passkey',
  'POST /api/user/passkeys',
  'POST /api/user/passkeys/options',
  // A provider's pages.
  'GET /api/oidc/callback',
  'GET /api/oidc/pending',
  'POST /api/oidc/identities',
  'POST /api/oidc/start',
  // Other services call them.
  'POST /api/email/incoming',
  'POST /api/sms/incoming',
];

/** By name, of what a backend holds. A body names them, too. */
type Ids = Record<string, string | number>;

interface Call {
  route: string;
  /** Names the id in the path. */
  id?: string;
  query?: string;
  body?: unknown;
  form?: Record<string, string>;
  status: number;
  /** The name by which later calls find the id of the answer. */
  saveIdAs?: string;
}

interface Reply {
  status: number;
  type: string | null;
  headers: Record<string, unknown>;
  body: unknown;
}

interface Backend {
  ids: Ids;
  send(call: Call): Promise<Reply>;
  /** What happens outside of the browser. */
  finishJobs(): Promise<void>;
  receiveEmail(): Promise<void>;
  addPasskey(): Promise<void>;
  /** The latest session. */
  signInElsewhere(): Promise<void>;
  addMember(): Promise<void>;
  /** Saves the tokens of all links that were emailed as 'verify-email link', by their paths. */
  readLinks(): Promise<void>;
  /** Someone registers the unverified address again, and is emailed a link. */
  registerAgain(): Promise<void>;
  connectIdentity(): Promise<void>;
  /** The password was entered too long ago for changes that could take the account over. */
  expireProof(): Promise<void>;
}

const MEMORY = '/api/memories/:id';
const ISSUER = 'http://127.0.0.1:1';

/** In order: each call finds what earlier ones left. A function happens outside of the browser, in both. */
const calls: (Call | ((backend: Backend) => Promise<void>))[] = [
  { route: 'GET /api/config', status: 200 },
  { route: 'GET /api/user', status: 200, saveIdAs: 'self' },
  { route: 'PATCH /api/user', body: { firstName: 'Ada', lastName: '' }, status: 200 },
  { route: 'PATCH /api/user', body: { username: 'x' }, status: 422 },
  { route: 'PATCH /api/user', body: [], status: 400 },
  { route: 'GET /api/user/storage', status: 200 },
  { route: 'GET /api/user/activity', status: 200 },
  (backend) => backend.signInElsewhere(),
  { route: 'GET /api/sessions', status: 200, saveIdAs: 'otherSession' },
  { route: 'DELETE /api/sessions/:id', id: 'otherSession', status: 204 },
  { route: 'DELETE /api/sessions', status: 204 },
  { route: 'DELETE /api/sessions/:id', id: 'missing', status: 404 },
  { route: 'POST /api/session/proof', body: { password: 'wrong horse' }, status: 403 },
  { route: 'POST /api/session/proof', body: { password: 'correct horse' }, status: 204 },
  { route: 'PATCH /api/user/password', body: { currentPassword: 'x', password: 'y' }, status: 422 },
  {
    route: 'PATCH /api/user/password',
    body: { currentPassword: 'wrong horse', password: 'a better horse' },
    status: 422,
  },
  {
    route: 'PATCH /api/user/password',
    body: { currentPassword: 'correct horse', password: 'a better horse' },
    status: 204,
  },
  { route: 'PATCH /api/user/email', body: { email: 'x' }, status: 422 },
  { route: 'PATCH /api/user/email', body: { email: 'owner@mems.example' }, status: 422 },
  { route: 'GET /api/user/email/change', status: 200 },
  { route: 'PATCH /api/user/email', body: { email: 'new@mems.example' }, status: 202 },
  { route: 'GET /api/user/email/change', status: 200 },
  { route: 'POST /api/user/email/confirm', body: { token: 'wrong' }, status: 422 },
  { route: 'POST /api/user/secure', body: { token: 'wrong' }, status: 422 },
  { route: 'POST /api/user/email/undo', body: { token: 'wrong' }, status: 422 },
  { route: 'DELETE /api/user/email/change', status: 204 },
  { route: 'POST /api/user/verify-email', body: { token: 'wrong' }, status: 422 },
  { route: 'POST /api/user/verify-email/resend', status: 202 },
  { route: 'POST /api/user/disown', body: { token: 'wrong' }, status: 422 },
  { route: 'POST /api/password/forgot', body: { email: 'x' }, status: 422 },
  { route: 'POST /api/password/forgot', body: { email: 'nobody@mems.example' }, status: 202 },
  { route: 'POST /api/password/reset', body: { token: 'wrong', password: 'a better horse' }, status: 422 },
  { route: 'POST /api/password/reset', body: { token: 'wrong', password: 'x' }, status: 422 },
  { route: 'POST /api/password/reset/preview', body: { token: 'wrong' }, status: 422 },
  { route: 'POST /api/register/again/preview', body: { token: 'wrong' }, status: 422 },
  {
    route: 'POST /api/register/again',
    body: { token: 'wrong', username: 'other', password: 'a better horse', keepsPhotos: true },
    status: 422,
  },

  { route: 'GET /api/pets', status: 200 },
  { route: 'POST /api/pets', form: { name: '', species: 'dragon' }, status: 422 },
  {
    route: 'POST /api/pets',
    form: { name: 'Rex', species: 'dog', profileImage: '' },
    status: 201,
    saveIdAs: 'pet',
  },
  { route: 'POST /api/pets', form: { name: 'Minka', species: 'cat' }, status: 201, saveIdAs: 'otherPet' },
  { route: 'GET /api/pets', status: 200 },
  { route: 'GET /api/pets', query: '?limit=1', status: 200 },
  { route: 'GET /api/pets', query: '?limit=0', status: 422 },
  { route: 'GET /api/pets/:id', id: 'pet', status: 200 },
  { route: 'GET /api/pets/:id', id: 'missing', status: 404 },
  { route: 'PATCH /api/pets/:id', id: 'pet', form: { breed: 'Dachshund', age: '' }, status: 200 },
  { route: 'PATCH /api/pets/:id', id: 'pet', form: { birthdayOrGotchaDay: 'today' }, status: 422 },
  { route: 'PATCH /api/pets/:id', id: 'missing', form: { breed: 'Dachshund' }, status: 404 },
  { route: 'DELETE /api/pets/:id', id: 'otherPet', status: 204 },
  { route: 'DELETE /api/pets/:id', id: 'missing', status: 404 },

  { route: 'GET /api/contacts', status: 200 },
  { route: 'POST /api/contacts', body: { name: '', email: 'x' }, status: 422 },
  {
    route: 'POST /api/contacts',
    body: { name: 'Ingrid', email: 'ingrid@family.example', relationship: '' },
    status: 201,
    saveIdAs: 'contact',
  },
  { route: 'POST /api/contacts', body: { name: 'Oma', email: 'Ingrid@family.example' }, status: 409 },
  { route: 'GET /api/contacts', query: '?limit=100', status: 200 },
  { route: 'PATCH /api/contacts/:id', id: 'contact', body: { relationship: 'family' }, status: 200 },
  { route: 'PATCH /api/contacts/:id', id: 'contact', body: { isActive: 'no' }, status: 422 },
  { route: 'PATCH /api/contacts/:id', id: 'missing', body: { isActive: false }, status: 404 },
  { route: 'DELETE /api/contacts/:id', id: 'missing', status: 404 },
  { route: 'DELETE /api/contacts/:id', id: 'contact', status: 204 },

  { route: 'POST /api/batches', body: { id: 'x' }, status: 422 },
  { route: 'POST /api/batches', body: { id: idOf(77) }, status: 204 },
  { route: 'GET /api/batches', status: 200 },
  { route: 'POST /api/batches/:id/finish', id: 'batch', body: { contactsMemoryIds: 'x' }, status: 422 },
  { route: 'POST /api/batches/:id/finish', id: 'batch', body: {}, status: 204 },
  { route: 'POST /api/batches/:id/finish', id: 'missing', body: {}, status: 404 },
  { route: 'DELETE /api/batches/:id', id: 'batch', status: 204 },
  { route: 'GET /api/batches', status: 200 },
  { route: 'DELETE /api/batches/:id', id: 'missing', status: 404 },
  { route: 'POST /api/batches/:id/restore', id: 'batch', status: 204 },
  { route: 'POST /api/batches/:id/restore', id: 'missing', status: 404 },

  { route: 'POST /api/uploads/known', body: { hashes: [] }, status: 422 },
  { route: 'POST /api/uploads/known', body: { hashes: ['0'.repeat(64)] }, status: 200 },
  { route: 'POST /api/objects/upload', body: { size: 0 }, status: 422 },
  { route: 'POST /api/objects/upload', status: 200 },
  ...['memory', 'otherMemory', 'deletedMemory'].flatMap((name): Call[] => [
    {
      route: 'POST /api/objects/upload',
      body: { contentType: 'image/jpeg', size: 'photoSize' },
      status: 200,
    },
    { route: 'POST /api/memories/complete-upload', body: { uploadURL: 'uploadURL' }, status: 409 },
    { route: 'PUT /uploads/:id', id: 'upload', status: 200 },
    {
      route: 'POST /api/memories/complete-upload',
      body: {
        uploadURL: 'uploadURL',
        caption: name,
        tags: 'summer, beach',
        memoryDate: '2026-03-01',
        petId: 'pet',
      },
      status: 201,
      saveIdAs: name,
    },
  ]),
  { route: 'POST /api/memories/complete-upload', body: {}, status: 422 },
  { route: 'POST /api/memories/complete-upload', body: { uploadURL: '/uploads/none' }, status: 404 },
  { route: 'GET /api/memories', status: 200 },
  { route: 'GET /api/memories', query: '?limit=1&order=taken', status: 200 },
  { route: 'GET /api/memories', query: '?order=best', status: 422 },
  { route: 'GET /api/memories', query: `?petId=${idOf(77)}`, status: 404 },
  { route: 'GET /api/memories/search', query: '?q=memory&limit=100', status: 200 },
  { route: 'GET /api/memories/search', query: '?q=snow&limit=100', status: 200 },
  { route: 'GET /api/memories/ids', status: 200 },
  { route: 'GET /api/memories/months', query: '?order=taken', status: 200 },
  { route: 'GET /api/memories/months', query: '?order=best', status: 422 },
  { route: 'GET /api/memories/stats', status: 200 },
  { route: `PATCH ${MEMORY}`, id: 'memory', body: { isLiked: true, caption: '', tags: 'snow' }, status: 200 },
  { route: `PATCH ${MEMORY}`, id: 'memory', body: { memoryDate: 'today' }, status: 422 },
  { route: `PATCH ${MEMORY}`, id: 'missing', body: { isLiked: true }, status: 404 },
  { route: 'PATCH /api/memories', body: { edits: [] }, status: 422 },
  {
    route: 'PATCH /api/memories',
    body: { edits: [{ ids: ['memory'], addTags: 'ice', memoryDate: '2026-04-01', petId: null }] },
    status: 200,
  },
  { route: 'PATCH /api/memories', body: { edits: [{ ids: ['missing'], petId: null }] }, status: 404 },
  { route: 'POST /api/memories/deleted', body: { ids: ['memory', 'otherMemory'] }, status: 204 },
  { route: 'POST /api/memories/deleted', body: { ids: ['missing'] }, status: 404 },
  { route: 'POST /api/memories/deleted', body: { ids: [] }, status: 422 },
  { route: 'GET /api/memories/deleted', query: '?limit=1', status: 200 },
  { route: 'POST /api/memories/deleted/restore', body: { ids: ['memory', 'otherMemory'] }, status: 204 },
  { route: 'POST /api/memories/deleted/restore', body: { ids: ['missing'] }, status: 404 },
  { route: `DELETE ${MEMORY}`, id: 'deletedMemory', status: 204 },
  { route: `DELETE ${MEMORY}`, id: 'deletedMemory', status: 204 },
  { route: `DELETE ${MEMORY}`, id: 'missing', status: 404 },
  { route: 'POST /api/memories/:id/restore', id: 'deletedMemory', status: 200 },
  { route: 'POST /api/memories/:id/restore', id: 'missing', status: 404 },
  { route: `DELETE ${MEMORY}`, id: 'deletedMemory', status: 204 },
  { route: 'DELETE /api/memories/deleted/:id', id: 'deletedMemory', status: 204 },
  { route: 'DELETE /api/memories/deleted/:id', id: 'missing', status: 404 },
  { route: 'GET /objects/:id', id: 'image', status: 200 },
  { route: 'GET /objects/:id/original', id: 'image', status: 200 },

  { route: 'GET /api/memories/:id/share', id: 'memory', status: 200 },
  { route: 'GET /api/memories/:id/share', id: 'missing', status: 404 },
  { route: 'POST /api/memories/:id/share', id: 'memory', status: 200 },
  { route: 'POST /api/memories/:id/share', id: 'missing', status: 404 },
  { route: 'GET /api/memories/:id/share', id: 'memory', status: 200 },
  { route: 'GET /api/shares', query: '?for=anyone', status: 200, saveIdAs: 'share' },
  { route: 'GET /api/shares', query: '?for=contact', status: 200 },
  { route: 'GET /api/shares', query: '?for=friends', status: 422 },
  { route: 'DELETE /api/shares/:id', id: 'share', status: 204 },
  { route: 'DELETE /api/shares/:id', id: 'missing', status: 404 },
  { route: 'DELETE /api/memories/:id/share', id: 'memory', status: 204 },

  { route: 'GET /api/caricatures/options', status: 200 },
  { route: 'POST /api/caricatures/consent', status: 204 },
  { route: 'GET /api/caricatures', status: 200 },
  { route: 'POST /api/caricatures/generate', body: { style: 'oil' }, status: 422 },
  { route: 'POST /api/caricatures/generate', body: { petId: 'missing', imageUrl: 'imageUrl' }, status: 404 },
  {
    route: 'POST /api/caricatures/generate',
    body: { petId: 'pet', imageUrl: 'imageUrl' },
    status: 202,
    saveIdAs: 'caricature',
  },
  { route: 'POST /api/caricatures/:id/keep', id: 'caricature', status: 409 },
  { route: 'POST /api/caricatures/:id/share', id: 'caricature', status: 409 },
  { route: 'GET /api/caricatures/:id/file', id: 'caricature', status: 409 },
  (backend) => backend.finishJobs(),
  { route: 'GET /api/caricatures', query: '?limit=100', status: 200 },
  { route: 'GET /api/pets/:id/caricatures', id: 'pet', status: 200 },
  { route: 'GET /api/pets/:id/caricatures', id: 'missing', status: 404 },
  { route: 'GET /api/caricatures/:id/file', id: 'caricature', status: 200 },
  { route: 'POST /api/caricatures/:id/keep', id: 'caricature', status: 201 },
  { route: 'POST /api/caricatures/:id/profile-picture', id: 'caricature', status: 200 },
  { route: 'POST /api/caricatures/:id/share', id: 'caricature', status: 200 },
  { route: 'DELETE /api/caricatures/:id/share', id: 'caricature', status: 204 },
  { route: 'POST /api/caricatures/:id/redo', id: 'caricature', status: 202 },
  { route: 'POST /api/caricatures/:id/redo', id: 'missing', status: 404 },
  { route: 'DELETE /api/caricatures/:id', id: 'caricature', status: 204 },
  { route: 'DELETE /api/caricatures/:id', id: 'missing', status: 404 },

  { route: 'POST /api/flipbooks/pdf', body: { memoryIds: [] }, status: 422 },
  { route: 'POST /api/flipbooks/pdf', body: { memoryIds: ['memory'] }, status: 202, saveIdAs: 'pdf' },
  { route: 'POST /api/exports', status: 202 },
  (backend) => backend.finishJobs(),
  { route: 'GET /api/flipbooks/pdf/:id', id: 'pdf', status: 200 },
  { route: 'GET /api/flipbooks/pdf/:id', id: 'missing', status: 404 },
  { route: 'GET /api/flipbooks/pdf/:id/file', id: 'pdf', status: 200 },
  { route: 'GET /api/exports', status: 200 },
  { route: 'GET /api/exports/parts/:id', id: 'part', status: 200 },
  { route: 'GET /api/exports/parts/:id', id: 'missing', status: 404 },

  { route: 'GET /api/imports', status: 200 },
  { route: 'POST /api/imports', body: { fileName: '', size: 0 }, status: 422 },
  {
    route: 'POST /api/imports',
    body: { fileName: 'album.zip', size: 9_000_000 },
    status: 201,
    saveIdAs: 'import',
  },
  { route: 'PUT /api/imports/:id/chunks/:number', id: 'import', status: 200 },
  { route: 'GET /api/imports', status: 200 },
  { route: 'DELETE /api/imports/:id', id: 'import', status: 204 },
  { route: 'DELETE /api/imports/:id', id: 'missing', status: 404 },

  { route: 'GET /api/user/allowed-senders', status: 200 },
  { route: 'PUT /api/user/allowed-senders', body: { addresses: ['x'] }, status: 422 },
  { route: 'PUT /api/user/allowed-senders', body: { addresses: ['Oma@family.example'] }, status: 200 },
  (backend) => backend.receiveEmail(),
  { route: 'GET /api/held-messages', status: 200, saveIdAs: 'held' },
  { route: 'GET /api/held-messages/:id/previews', id: 'held', status: 200 },
  { route: 'GET /api/held-messages/:id/previews', id: 'missing', status: 404 },
  { route: 'POST /api/held-messages/:id/accept', id: 'held', body: { allowSender: 'yes' }, status: 422 },
  { route: 'POST /api/held-messages/:id/accept', id: 'held', body: {}, status: 202 },
  { route: 'POST /api/held-messages/:id/accept', id: 'missing', status: 404 },
  (backend) => backend.receiveEmail(),
  { route: 'GET /api/held-messages', status: 200, saveIdAs: 'held' },
  { route: 'POST /api/held-messages/:id/reject', id: 'held', status: 204 },
  { route: 'POST /api/held-messages/:id/reject', id: 'missing', status: 404 },
  { route: 'POST /api/user/inbound-email/reset', status: 200 },

  { route: 'GET /api/user/passkeys', status: 200 },
  (backend) => backend.addPasskey(),
  { route: 'GET /api/user/passkeys', status: 200, saveIdAs: 'passkey' },
  { route: 'PATCH /api/user/passkeys/:id', id: 'passkey', body: { name: '' }, status: 422 },
  { route: 'PATCH /api/user/passkeys/:id', id: 'passkey', body: { name: 'Phone' }, status: 200 },
  { route: 'PATCH /api/user/passkeys/:id', id: 'missing', body: { name: 'Phone' }, status: 404 },
  { route: 'DELETE /api/user/passkeys/:id', id: 'passkey', status: 204 },
  { route: 'DELETE /api/user/passkeys/:id', id: 'missing', status: 404 },
  { route: 'GET /api/oidc/identities', status: 200 },
  { route: 'DELETE /api/oidc/identities/:id', id: 'missing', status: 404 },

  { route: 'POST /api/sms/send-verification', body: { phoneNumber: '' }, status: 422 },
  { route: 'POST /api/sms/send-verification', body: { phoneNumber: '206 555 1001' }, status: 200 },
  { route: 'POST /api/sms/verify', body: { phoneNumber: '206 555 1001', code: '12' }, status: 422 },
  { route: 'POST /api/sms/verify', body: { phoneNumber: '206 555 1001', code: 'smsCode' }, status: 200 },
  { route: 'DELETE /api/sms/number', status: 204 },

  { route: 'GET /api/admin/users', query: '?search=owner&limit=100', status: 200 },
  { route: 'GET /api/admin/users', query: '?search=nobody&limit=100', status: 200 },
  { route: 'PATCH /api/admin/users/:id', id: 'self', body: { storageLimitBytes: 'much' }, status: 422 },
  { route: 'PATCH /api/admin/users/:id', id: 'self', body: { storageLimitBytes: 1_000_000 }, status: 200 },
  { route: 'PATCH /api/admin/users/:id', id: 'self', body: { isDisabled: true }, status: 409 },
  { route: 'PATCH /api/admin/users/:id', id: 'missing', body: { isDisabled: true }, status: 404 },
  { route: 'DELETE /api/admin/users/:id', id: 'self', body: {}, status: 422 },
  (backend) => backend.addMember(),
  { route: 'POST /api/admin/users/:id/password-reset', id: 'guestId', status: 200 },
  { route: 'DELETE /api/admin/users/:id', id: 'guestId', body: { username: 'guest' }, status: 204 },
  { route: 'DELETE /api/admin/users/:id', id: 'missing', body: { username: 'x' }, status: 404 },
  { route: 'POST /api/admin/users/:id/password-reset', id: 'self', status: 409 },
  { route: 'POST /api/admin/users/:id/password-reset', id: 'missing', status: 404 },
  { route: 'DELETE /api/admin/users/:id/totp', id: 'self', status: 204 },
  { route: 'DELETE /api/admin/users/:id/totp', id: 'missing', status: 404 },
  { route: 'GET /api/admin/backup', status: 200 },
  { route: 'GET /api/admin/warnings', status: 200 },
  { route: 'GET /api/admin/invites', status: 200 },
  { route: 'POST /api/admin/invites', body: { email: 'x' }, status: 422 },
  { route: 'POST /api/admin/invites', body: { email: '' }, status: 201, saveIdAs: 'invite' },
  { route: 'GET /api/admin/invites', status: 200 },
  { route: 'GET /api/invites/:token', id: 'inviteToken', status: 200 },
  { route: 'GET /api/invites/:token', id: 'missing', status: 404 },
  { route: 'POST /api/user/administrator', body: { inviteToken: 'missing' }, status: 404 },
  { route: 'DELETE /api/admin/invites/:id', id: 'invite', status: 204 },
  { route: 'DELETE /api/admin/invites/:id', id: 'missing', status: 404 },

  { route: 'GET /api/user/second-factor', status: 200 },
  { route: 'POST /api/user/recovery-codes', status: 409 },
  { route: 'POST /api/user/totp/confirm', body: { code: '000000' }, status: 409 },
  { route: 'POST /api/user/totp', status: 201 },
  { route: 'POST /api/user/totp/confirm', body: { code: '' }, status: 422 },
  { route: 'POST /api/user/totp/confirm', body: { code: 'wrongCode' }, status: 422 },
  { route: 'POST /api/user/totp/confirm', body: { code: 'appCode' }, status: 200 },
  { route: 'POST /api/user/totp', status: 409 },
  { route: 'GET /api/user/second-factor', status: 200 },
  { route: 'POST /api/user/recovery-codes', status: 200 },
  { route: 'DELETE /api/user', body: { username: 'x' }, status: 422 },
  { route: 'DELETE /api/user', body: { username: 'owner' }, status: 422 },
  { route: 'DELETE /api/user', body: { username: 'owner', code: 'not right' }, status: 422 },
  { route: 'POST /api/logout', status: 204 },
  { route: 'GET /api/user', status: 401 },

  { route: 'GET /api/login', status: 302 },
  { route: 'POST /api/login', body: { email: 'x' }, status: 422 },
  { route: 'POST /api/login', body: { email: 'owner@mems.example', password: 'wrong horse' }, status: 401 },
  { route: 'POST /api/login/code', body: { code: '000000' }, status: 401 },
  {
    route: 'POST /api/login',
    body: { email: 'owner@mems.example', password: 'a better horse' },
    status: 202,
  },
  { route: 'POST /api/login/code', body: { code: 'wrongCode' }, status: 422 },
  { route: 'POST /api/login/code', body: { code: 'not right' }, status: 422 },
  { route: 'POST /api/login/code', body: { code: 'recoveryCode' }, status: 200 },
  { route: 'DELETE /api/user/totp', status: 204 },
  { route: 'POST /api/logout/all', status: 204 },
  {
    route: 'POST /api/login',
    body: { email: 'owner@mems.example', password: 'a better horse' },
    status: 200,
  },
  { route: 'POST /api/logout', status: 204 },
  {
    route: 'POST /api/register',
    body: { email: 'Owner@mems.example', username: 'Owner', password: 'a better horse' },
    status: 409,
  },
  { route: 'POST /api/register', body: { email: 'x', username: 'x', password: 'x' }, status: 422 },
  {
    route: 'POST /api/register',
    body: { email: 'other@mems.example', username: 'other', password: 'a better horse' },
    status: 201,
  },
];

const LINKS = ['verify-email', 'not-me', 'confirm-email', 'undo-email', 'reset-password', 'start-again'];

/** With a mail server. Each link works once. */
const linkCalls: typeof calls = [
  { route: 'GET /api/user', status: 200 },
  (backend) => backend.readLinks(),
  { route: 'POST /api/user/verify-email', body: { token: 'verify-email link' }, status: 204 },
  { route: 'GET /api/user', status: 200 },
  { route: 'PATCH /api/user/email', body: { email: 'new@mems.example' }, status: 202 },
  (backend) => backend.readLinks(),
  { route: 'POST /api/user/email/confirm', body: { token: 'confirm-email link' }, status: 204 },
  { route: 'GET /api/user/email/change', status: 200 },
  (backend) => backend.readLinks(),
  { route: 'POST /api/user/email/undo', body: { token: 'undo-email link' }, status: 200 },
  { route: 'GET /api/user', status: 401 },
  { route: 'POST /api/password/reset/preview', body: { token: 'reset-password link' }, status: 200 },
  {
    route: 'POST /api/password/reset',
    body: { token: 'reset-password link', password: 'a better horse' },
    status: 200,
  },
  {
    route: 'POST /api/login',
    body: { email: 'owner@mems.example', password: 'a better horse' },
    status: 200,
  },
  (backend) => backend.connectIdentity(),
  { route: 'GET /api/oidc/identities', status: 200, saveIdAs: 'identity' },
  { route: 'DELETE /api/oidc/identities/:id', id: 'identity', status: 204 },
  (backend) => backend.expireProof(),
  ...routes
    .filter(({ needsProof, isForAdmins }) => needsProof && !isForAdmins)
    .map(({ name }): Call => ({ route: name, body: {}, status: 403 })),
  { route: 'POST /api/session/proof', body: { password: 'a better horse' }, status: 204 },
  { route: 'DELETE /api/user', body: { username: 'owner' }, status: 204 },
  { route: 'GET /api/user', status: 401 },

  {
    route: 'POST /api/register',
    body: { email: 'other@mems.example', username: 'other', password: 'a better horse' },
    status: 201,
  },
  (backend) => backend.registerAgain(),
  (backend) => backend.readLinks(),
  { route: 'POST /api/register/again/preview', body: { token: 'start-again link' }, status: 200 },
  {
    route: 'POST /api/register/again',
    body: { token: 'start-again link', username: 'again', password: 'a good horse', keepsPhotos: true },
    status: 201,
  },
  { route: 'POST /api/logout', status: 204 },
  {
    route: 'POST /api/register',
    body: { email: 'third@mems.example', username: 'third', password: 'a better horse' },
    status: 201,
  },
  (backend) => backend.readLinks(),
  { route: 'POST /api/user/disown', body: { token: 'not-me link' }, status: 204 },
  { route: 'GET /api/user', status: 401 },
];

/** Events never end; the others need a link that is not in an email of these accounts. */
const COMPARED_BY_ERRORS = ['GET /api/events', 'POST /api/user/administrator', 'POST /api/user/secure'];

let real: Awaited<ReturnType<typeof startRealBackend>>;
let fake: ReturnType<typeof createFakeBackend>;

beforeAll(async () => {
  real = await startRealBackend();
  fake = createFakeBackend(real.server.origin);
});

describe('the fake server', () => {
  it('has each route of the real one, except those that are listed', () => {
    const faked = routes.map(({ name }) => name);
    expect([...faked, ...NOT_FAKED].sort()).toEqual(realRoutes().sort());
  });

  it('is compared by a successful call of each route', () => {
    const succeeding = new Set(
      [...calls, ...linkCalls].flatMap((call) => ('route' in call && call.status < 400 ? call.route : [])),
    );
    const others = routes.map(({ name }) => name).filter((name) => !succeeding.has(name));
    expect(others.sort()).toEqual(COMPARED_BY_ERRORS);
  });

  it('rejects visitors and non-administrators as the real one', async () => {
    const member = await real.server.signUp('member');
    const answers = createComparison();
    for (const { name: route, isForAdmins } of routes.filter(({ isPublic }) => !isPublic)) {
      const call = { route, id: 'missing', body: route.startsWith('GET') ? undefined : {}, status: 401 };
      answers.add(
        call,
        await real.sendAs(real.server.visitor(), call),
        fake.sendAs({ isSignedIn: false }, call),
      );
      if (!isForAdmins) continue;
      const forbidden = { ...call, status: 403 };
      answers.add(
        forbidden,
        await real.sendAs(member, forbidden),
        fake.sendAs({ isAdmin: false }, forbidden),
      );
    }
    answers.expectSame();
  });

  it('answers each call of the table as the real one', () => compareCalls(calls, real, fake));

  it('answers the calls of emailed links, and those without a recent proof, as the real one', async () => {
    const withEmail = await startRealBackend({ smtp: await startSmtpServer() });
    await compareCalls(
      linkCalls,
      withEmail,
      createFakeBackend(withEmail.server.origin, { sendsEmail: true }),
    );
  });
});

async function compareCalls(table: typeof calls, realBackend: Backend, fakeBackend: Backend): Promise<void> {
  const answers = createComparison();
  for (const call of table) {
    if (typeof call === 'function') await Promise.all([call(realBackend), call(fakeBackend)]);
    else answers.add(call, await realBackend.send(call), await fakeBackend.send(call));
  }
  answers.expectSame();
}

function createComparison() {
  const [reals, fakes]: [object[], object[]] = [[], []];
  return {
    add(call: Call, realReply: Reply, fakeReply: Reply) {
      const name = `${call.route}${call.query ?? ''} ${JSON.stringify(call.body ?? call.form ?? null)}`;
      // The table's status, so that it can be read without running it.
      reals.push({ name, expected: call.status, ...toComparable(realReply) });
      fakes.push({ name, expected: realReply.status, ...toComparable(fakeReply) });
    },
    /** With all differences at once. */
    expectSame: () => expect(fakes).toEqual(reals),
  };
}

/** Errors as they are, other bodies by the types of their fields. */
function toComparable({ body, ...reply }: Reply) {
  return { ...reply, body: reply.status >= 400 ? body : shapeOf(body) };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}

async function startRealBackend({ smtp }: { smtp?: TestSmtpServer } = {}) {
  const twilio = await startTwilioServer();
  let proofAgeMs = 0;
  const server = await startTestServer({
    overrides: {
      // The system of the tests may forbid isolation, which adds a warning.
      findIsolation: () => Promise.resolve('full'),
      clock: { now: () => new Date(new Date().getTime() + proofAgeMs) },
    },
    env: {
      ...(smtp && {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'album@mems.example',
        PUBLIC_URL: 'http://mems.example',
      }),
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_PHONE_NUMBER: '+12025550100',
      TWILIO_API_URL: twilio.url,
      OIDC_ISSUER: ISSUER,
      OIDC_CLIENT_ID: 'mems',
      WRITE_BURST: '10000',
    },
  });
  const owner = smtp ? await server.signUp('owner') : await server.signUpAdmin('owner');
  const { body } = await owner.get('/api/user');
  const { inboundEmail } = body as { inboundEmail: string };
  let photo = await makePhoto();
  let width = 60;
  const ids = startIds(photo.length);

  const sendAs = async (client: TestClient, call: Call): Promise<Reply> => {
    const { method, path } = addressOf(call, ids);
    const options =
      call.route === 'PUT /uploads/:id'
        ? { body: photo, headers: { 'Content-Type': 'image/jpeg' } }
        : call.route.startsWith('PUT /api/imports/')
          ? { body: Buffer.alloc(8_388_608), headers: { 'Content-Type': 'application/octet-stream' } }
          : call.form
            ? { body: petForm(call.form) }
            : { json: withIds(call.body, ids) };
    const { status, headers, text } = await client.request(method, path, options);
    return toReply(status, headers, text);
  };
  return {
    server,
    ids,
    sendAs,
    async send(call: Call) {
      const reply = await sendAs(owner, call);
      saveIds(ids, call, reply);
      if (call.route === 'POST /api/memories/complete-upload' && reply.status === 201) {
        // The same photo would be the same memory.
        photo = await makePhoto({ width: ++width });
        ids['photoSize'] = photo.length;
      }
      if (ids['secret']) setCode(ids, totpCode(String(ids['secret']), new Date()));
      ids['smsCode'] = /^\d{6}/.exec(twilio.received.at(-1)?.['Body'] ?? '')?.[0] ?? '';
      return reply;
    },
    finishJobs: () => server.drainJobs(),
    async receiveEmail() {
      const raw = multipart('mixed', [file(await makePhoto())], {
        headers: { From: 'stranger@else.example', 'Message-ID': `<${randomUUID()}@else.example>` },
      });
      await pushEmail(server, inboundEmail, raw);
      await server.drainJobs();
    },
    async addPasskey() {
      await addTestPasskey(owner, `http://localhost:${new URL(server.origin).port}`);
    },
    async signInElsewhere() {
      const credentials = { email: 'owner@mems.example', password: 'correct horse' };
      await server.visitor().post('/api/login', credentials);
    },
    async addMember() {
      ids['guestId'] = (await server.signUp('guest')).userId;
    },
    async readLinks() {
      await server.drainJobs();
      for (const { mime } of smtp?.received.splice(0) ?? []) {
        const { text = '' } = await PostalMime.parse(mime);
        for (const [, path = '', token = ''] of text.matchAll(/\/([\w-]+)#([\w-]+)/g))
          ids[`${path} link`] = token;
      }
    },
    async registerAgain() {
      const account = { email: 'other@mems.example', username: 'again', password: 'a good horse' };
      await server.visitor().post('/api/register', account);
    },
    async connectIdentity() {
      await server.context.db.insert(oidcIdentities).values({
        id: randomUUID(),
        ownerId: owner.userId,
        issuer: ISSUER,
        subject: 'ada',
        label: 'ada',
        createdAt: new Date(),
      });
    },
    expireProof() {
      proofAgeMs = 11 * 60 * 1000;
      return Promise.resolve();
    },
  } satisfies Backend & Record<string, unknown>;
}

function createFakeBackend(origin: string, { sendsEmail = false } = {}) {
  const state = emptyState({ origin, sendsEmail });
  const { user, config } = state;
  state.user = {
    ...user,
    email: 'owner@mems.example',
    username: 'owner',
    isAdmin: !sendsEmail,
    emailVerified: !sendsEmail,
    verifyEmailBy: sendsEmail ? state.now : null,
    // A public server receives email only where it is set up.
    inboundEmail: sendsEmail ? null : user.inboundEmail,
  };
  state.config = {
    ...config,
    oidcName: 'Single sign-on',
    passkeyOrigin: 'http://localhost',
    remoteSources: [{ source: 'url' }],
  };
  state.activity.push({
    id: idOf(5),
    kind: 'registered',
    isByAdmin: false,
    device: 'Node.js',
    network: '127.0.0.0/24',
    createdAt: state.now,
  });
  state.people = state.people.map((person) => ({
    ...person,
    username: 'owner',
    email: 'owner@mems.example',
  }));
  const server = new FakeServer(state);
  const ids = startIds(1000);

  const ask = (call: Call): Reply => {
    const { method, path } = addressOf(call, ids);
    const body = call.form ?? withIds(call.body, ids);
    const { status, headers, body: text }: FakeResponse = server.answer(method, path, body);
    return toReply(status, new Headers(headers), typeof text === 'string' ? text : '');
  };
  return {
    ids,
    sendAs({ isSignedIn = true, isAdmin = true }: { isSignedIn?: boolean; isAdmin?: boolean }, call: Call) {
      Object.assign(state, { isSignedIn });
      state.user.isAdmin = isAdmin;
      const reply = ask(call);
      Object.assign(state, { isSignedIn: true });
      state.user.isAdmin = true;
      return reply;
    },
    send(call: Call) {
      const reply = ask(call);
      saveIds(ids, call, reply);
      setCode(ids, state.code);
      ids['smsCode'] = state.code;
      return Promise.resolve(reply);
    },
    finishJobs() {
      for (const caricature of state.caricatures)
        Object.assign(caricature, { status: 'completed', caricatureImageUrl: `/objects/${idOf(6)}` });
      for (const pdf of state.pdfs)
        Object.assign(pdf, { status: 'completed', progress: 100, url: `/api/flipbooks/pdf/${pdf.id}/file` });
      for (const each of state.exports)
        Object.assign(each, {
          status: 'completed',
          progress: 100,
          expiresAt: state.now,
          parts: [{ number: 1, byteSize: 1, url: `/api/exports/parts/${idOf(7)}` }],
        });
      return Promise.resolve();
    },
    receiveEmail() {
      state.heldMessages.push({
        id: idOf(8),
        sender: 'stranger@else.example',
        isSenderProven: false,
        subject: '',
        photoCount: 1,
        createdAt: state.now,
        expiresAt: state.now,
      });
      return Promise.resolve();
    },
    addPasskey() {
      state.passkeys.push({ id: idOf(9), name: 'Passkey', createdAt: state.now, lastUsedAt: null });
      return Promise.resolve();
    },
    signInElsewhere() {
      const [current] = state.sessions;
      if (current) state.sessions.unshift({ ...current, id: idOf(11), isCurrent: false });
      return Promise.resolve();
    },
    addMember() {
      const [person] = state.people;
      const names = { username: 'guest', email: 'guest@mems.example' };
      ids['guestId'] = idOf(12);
      if (person)
        state.people.push({ ...person, ...names, id: idOf(12), isAdmin: false, isLastAdmin: false });
      return Promise.resolve();
    },
    readLinks() {
      for (const path of LINKS) ids[`${path} link`] = TOKEN;
      return Promise.resolve();
    },
    registerAgain: () => Promise.resolve(),
    connectIdentity() {
      state.identities.push({ id: idOf(10), label: 'ada', createdAt: state.now, lastUsedAt: null });
      return Promise.resolve();
    },
    expireProof() {
      state.isProofNeeded = true;
      return Promise.resolve();
    },
  } satisfies Backend & Record<string, unknown>;
}

function setCode(ids: Ids, code: string): void {
  ids['appCode'] = code;
  ids['wrongCode'] = code === '000000' ? '000001' : '000000';
}

function startIds(photoSize: number): Ids {
  return { missing: randomUUID(), batch: idOf(77), photoSize };
}

function addressOf({ route, id = 'missing', query = '' }: Call, ids: Ids): { method: string; path: string } {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.replace(':number', '0').replace(/:\w+/, String(ids[id])) + query };
}

/** Names of ids become the ids. */
function withIds(value: unknown, ids: Ids): unknown {
  if (typeof value === 'string') return ids[value] ?? value;
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withIds(each, ids)]));
}

function saveIds(ids: Ids, { route, saveIdAs }: Call, { status, body }: Reply): void {
  if (status >= 400 || body === null || typeof body !== 'object') return;
  const found = (Array.isArray(body) ? body[0] : body) as Record<string, unknown> | undefined;
  if (!found) return;
  if (saveIdAs) ids[saveIdAs] = String(found['id']);
  if (typeof found['uploadURL'] === 'string') {
    ids['uploadURL'] = found['uploadURL'];
    ids['upload'] = found['uploadURL'].split('/uploads/')[1] ?? '';
  }
  if (saveIdAs === 'memory') {
    ids['imageUrl'] = String(found['imageUrl']);
    ids['image'] = ids['imageUrl'].replace('/objects/', '');
  }
  if (saveIdAs === 'invite') ids['inviteToken'] = String(found['url']).split('=')[1] ?? '';
  if (typeof found['resetToken'] === 'string') ids['reset-password link'] = found['resetToken'];
  if (typeof found['secret'] === 'string') ids['secret'] = found['secret'];
  if (Array.isArray(found['codes'])) ids['recoveryCode'] = String(found['codes'][0]);
  if (route === 'GET /api/exports' && Array.isArray(found['parts']))
    ids['part'] = String((found['parts'][0] as { url: string }).url.split('/').pop());
}

/** With the headers that the client reads. */
function toReply(status: number, headers: Headers, text: string): Reply {
  const type = headers.get('Content-Type')?.split(/[;/]/)[0] ?? null;
  const isJson = headers.get('Content-Type')?.startsWith('application/json') ?? false;
  const next = /<([^>]*)>/.exec(headers.get('Link') ?? '')?.[1];
  return {
    status,
    type: text === '' && type === null ? null : type,
    headers: {
      link: next && new URL(next, 'http://localhost').pathname,
      location: headers.get('Location'),
      hasRetryAfter: headers.has('Retry-After'),
    },
    body: isJson && text !== '' ? (JSON.parse(text) as unknown) : null,
  };
}

type Layer = { route?: { path: string; methods: Record<string, boolean> }; handle: { stack?: Layer[] } };

function realRoutes(): string[] {
  const { router } = real.server.app as unknown as { router: Router & { stack: Layer[] } };
  const listed = (stack: Layer[]): string[] =>
    stack.flatMap(({ route, handle }) =>
      route
        ? Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`)
        : listed(handle.stack ?? []),
    );
  return listed(router.stack).filter((name) => /^\w+ \/(api|objects|uploads)\//.test(name));
}
