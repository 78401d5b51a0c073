import { routes } from '../../client/src/testing/fake-server/fake-server.ts';
import { idOf } from '../../client/src/testing/fake-server/state/fake-state.ts';

/** By name, of what a backend holds. A body names them, too. */
export type Ids = Record<string, string | number>;

export interface Call {
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

export interface Reply {
  status: number;
  type: string | null;
  headers: Record<string, unknown>;
  body: unknown;
}

export interface Backend {
  ids: Ids;
  send(call: Call): Promise<Reply>;
  /** What happens outside of the browser. */
  finishJobs(): Promise<void>;
  receiveEmail(): Promise<void>;
  receiveForwardingRequest(): Promise<void>;
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
  expireConfirmedIdentity(): Promise<void>;
}

const MEMORY = '/api/memories/:id';

/** In order: each call finds what earlier ones left. A function happens outside of the browser, in both. */
export const calls: (Call | ((backend: Backend) => Promise<void>))[] = [
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
  { route: 'POST /api/pets/picture-proposal', form: { withPreview: 'perhaps' }, status: 422 },
  { route: 'GET /api/pets/:id', id: 'pet', status: 200 },
  { route: 'GET /api/pets/:id', id: 'missing', status: 404 },
  { route: 'PATCH /api/pets/:id', id: 'pet', form: { breed: 'Dachshund', age: '' }, status: 200 },
  { route: 'PATCH /api/pets/:id', id: 'pet', form: { birthdayOrGotchaDay: 'today' }, status: 422 },
  {
    route: 'PATCH /api/pets/:id',
    id: 'pet',
    form: { profileImageCrop: '0,0,9', croppedImageId: '01980000-0000-7000-8000-000000000001' },
    status: 409,
  },
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
  { route: 'POST /api/objects/upload', body: { size: 10_485_761 }, status: 413 },
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
  { route: 'POST /api/memories/complete-upload', body: { uploadURL: '/', isUndated: 'yes' }, status: 422 },
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
  { route: 'GET /api/memories/pet-counts', status: 200 },
  { route: 'GET /api/memories/featured', status: 200 },
  { route: 'POST /api/memories/:id/dismiss', id: 'memory', status: 204 },
  { route: 'POST /api/memories/:id/dismiss', id: 'missing', status: 404 },
  { route: 'GET /api/memories', query: '?isLiked=true', status: 200 },
  { route: 'GET /api/memories', query: '?isLiked=yes', status: 422 },
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
  {
    route: 'POST /api/flipbooks/pdf',
    body: { memoryIds: ['memory'], title: 'x'.repeat(61) },
    status: 422,
  },
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
  { route: 'GET /api/user/forwarding-requests', status: 200 },
  (backend) => backend.receiveForwardingRequest(),
  { route: 'GET /api/user/forwarding-requests', status: 200 },
  (backend) => backend.receiveEmail(),
  { route: 'GET /api/held-messages', status: 200, saveIdAs: 'held' },
  { route: 'GET /api/held-messages/:id/previews', id: 'held', status: 200 },
  { route: 'GET /api/held-messages/:id/previews', id: 'missing', status: 404 },
  { route: 'POST /api/held-messages/:id/accept', id: 'held', body: { allowSender: 'yes' }, status: 422 },
  { route: 'POST /api/held-messages/:id/accept', id: 'held', body: { petId: 'x' }, status: 404 },
  {
    route: 'POST /api/held-messages/:id/accept',
    id: 'held',
    body: { petId: null, emailContacts: false },
    status: 202,
  },
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
  { route: 'POST /api/objects/upload', body: { size: 2_000_000 }, status: 413 },
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
  { route: 'GET /api/admin/invitations', status: 200 },
  { route: 'POST /api/admin/invitations', body: { email: 'x' }, status: 422 },
  { route: 'POST /api/admin/invitations', body: { email: '' }, status: 201, saveIdAs: 'invitation' },
  { route: 'GET /api/admin/invitations', status: 200 },
  { route: 'GET /api/invitations/:token', id: 'invitationToken', status: 200 },
  { route: 'GET /api/invitations/:token', id: 'missing', status: 404 },
  { route: 'POST /api/user/administrator', body: { invitationToken: 'missing' }, status: 404 },
  { route: 'DELETE /api/admin/invitations/:id', id: 'invitation', status: 204 },
  { route: 'DELETE /api/admin/invitations/:id', id: 'missing', status: 404 },

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

/** With a mail server. Each link works once. */
export const linkCalls: typeof calls = [
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
  (backend) => backend.expireConfirmedIdentity(),
  ...routes
    .filter(({ needsConfirmedIdentity, isForAdmins }) => needsConfirmedIdentity && !isForAdmins)
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
