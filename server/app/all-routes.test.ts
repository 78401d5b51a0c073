import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/album/caricature';
import type { FlipbookPdf } from '#shared/album/flipbook';
import type { Export } from '#shared/transfers/export';
import type { Import } from '#shared/transfers/import';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { redactPath } from '../platform/http/request-log.ts';
import { addTestPasskey } from '../testing/clients/passkey.ts';
import type { TestClient } from '../testing/clients/test-client.ts';
import { addContact, addMemory, deleteMemory, insertPet } from '../testing/data/factories.ts';
import { inboundEmailOf, pushEmail } from '../testing/data/inbound-email.ts';
import { file, multipart } from '../testing/data/mime.ts';
import { makePhoto } from '../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

/** Statuses of a route for a visitor, for another user with the owner's id, and for a malformed id. */
type Statuses = {
  visitor: number;
  /** The same as for a missing id. */
  anotherUser: number | 'no id';
  malformedId: 401 | 403 | 404 | 'no id';
};

const OWN = { visitor: 401, anotherUser: 'no id', malformedId: 'no id' } as const;
const OWN_BY_ID = { visitor: 401, anotherUser: 404, malformedId: 404 } as const;
const ADMINS = OWN;
const ADMINS_BY_ID = { visitor: 401, anotherUser: 403, malformedId: 403 } as const;
const OWN_AT_VENDOR = { visitor: 401, anotherUser: 401, malformedId: 401 } as const;
const publicly = (status: number): Statuses => ({
  visitor: status,
  anotherUser: 'no id',
  malformedId: 'no id',
});

/** A route that is missing here fails the first test. */
const EXPECTED: Record<string, Statuses> = {
  'GET /api/health': publicly(200),
  'GET /api/health/ready': publicly(200),
  'GET /api/config': publicly(200),
  'GET /api/user': OWN,
  'POST /api/register': publicly(422),
  'POST /api/register/again': publicly(422),
  'POST /api/register/again/preview': publicly(422),
  'POST /api/login': publicly(422),
  'POST /api/login/code': publicly(422),
  'POST /api/login/passkey/options': publicly(200),
  'POST /api/login/passkey': publicly(422),
  'GET /api/login': publicly(302),
  'POST /api/logout': publicly(204),
  'POST /api/logout/all': OWN,
  'POST /api/session/proof': OWN,
  'POST /api/session/proof/passkey': OWN,
  // This server's provider does not answer.
  'POST /api/oidc/start': publicly(503),
  'GET /api/oidc/callback': publicly(303),
  'GET /api/oidc/pending': publicly(404),
  'GET /api/oidc/identities': OWN,
  'POST /api/oidc/identities': OWN,
  'DELETE /api/oidc/identities/:id': OWN_BY_ID,
  'GET /api/sessions': OWN,
  'DELETE /api/sessions': OWN,
  'DELETE /api/sessions/:id': OWN_BY_ID,
  'GET /api/user/activity': OWN,
  'DELETE /api/user': OWN,
  'PATCH /api/user/email': OWN,
  'GET /api/user/email/change': OWN,
  'DELETE /api/user/email/change': OWN,
  'POST /api/user/email/confirm': OWN,
  'POST /api/user/email/undo': publicly(422),
  'POST /api/user/secure': publicly(422),
  'PATCH /api/user': OWN,
  'PATCH /api/user/password': OWN,
  'GET /api/user/second-factor': OWN,
  'POST /api/user/totp': OWN,
  'POST /api/user/totp/confirm': OWN,
  'DELETE /api/user/totp': OWN,
  'POST /api/user/recovery-codes': OWN,
  'GET /api/user/passkeys': OWN,
  'POST /api/user/passkeys/options': OWN,
  'POST /api/user/passkeys': OWN,
  // Needs a name, also for a missing id.
  'PATCH /api/user/passkeys/:id': { ...OWN_BY_ID, anotherUser: 422 },
  'DELETE /api/user/passkeys/:id': OWN_BY_ID,
  'POST /api/user/verify-email': publicly(422),
  'POST /api/user/verify-email/resend': OWN,
  'POST /api/user/disown': publicly(422),
  'GET /.well-known/change-password': publicly(302),
  'POST /api/password/forgot': publicly(422),
  'POST /api/password/reset': publicly(422),
  'POST /api/password/reset/preview': publicly(422),
  'POST /api/user/inbound-email/reset': OWN,
  'GET /api/user/allowed-senders': OWN,
  'PUT /api/user/allowed-senders': OWN,
  'GET /api/user/forwarding-requests': OWN,
  'GET /api/held-messages': OWN,
  'GET /api/held-messages/:id/previews': OWN_BY_ID,
  'POST /api/held-messages/:id/accept': OWN_BY_ID,
  'POST /api/held-messages/:id/reject': OWN_BY_ID,
  // Authenticated by the shared secret.
  'POST /api/email/incoming': publicly(401),
  'POST /api/sms/send-verification': OWN,
  'POST /api/sms/verify': OWN,
  'DELETE /api/sms/number': OWN,
  // Authenticated by the signature.
  'POST /api/sms/incoming': publicly(403),
  'GET /api/memories': OWN,
  'GET /api/memories/search': OWN,
  'GET /api/memories/featured': OWN,
  'GET /api/memories/ids': OWN,
  'GET /api/memories/months': OWN,
  'GET /api/memories/pet-counts': OWN,
  'GET /api/memories/stats': OWN,
  'POST /api/memories/complete-upload': OWN,
  'PATCH /api/memories': OWN,
  'PATCH /api/memories/:id': OWN_BY_ID,
  'GET /api/memories/deleted': OWN,
  'POST /api/memories/deleted': OWN,
  'POST /api/memories/deleted/restore': OWN,
  'DELETE /api/memories/:id': OWN_BY_ID,
  'POST /api/memories/:id/restore': OWN_BY_ID,
  'POST /api/memories/:id/dismiss': OWN_BY_ID,
  'DELETE /api/memories/deleted/:id': OWN_BY_ID,
  'GET /api/pets': OWN,
  'POST /api/pets': OWN,
  'POST /api/pets/picture-proposal': OWN,
  'GET /api/pets/:id': OWN_BY_ID,
  'PATCH /api/pets/:id': OWN_BY_ID,
  'DELETE /api/pets/:id': OWN_BY_ID,
  'GET /api/memories/:id/share': OWN_BY_ID,
  'POST /api/memories/:id/share': OWN_BY_ID,
  'DELETE /api/memories/:id/share': OWN_BY_ID,
  'GET /api/caricatures': OWN,
  'GET /api/pets/:id/caricatures': OWN_BY_ID,
  'GET /api/caricatures/options': OWN,
  'POST /api/caricatures/consent': OWN,
  'POST /api/caricatures/generate': OWN,
  'POST /api/caricatures/:id/redo': OWN_BY_ID,
  'GET /api/caricatures/:id/file': OWN_BY_ID,
  'POST /api/caricatures/:id/keep': OWN_BY_ID,
  'POST /api/caricatures/:id/profile-picture': OWN_BY_ID,
  'DELETE /api/caricatures/:id': OWN_BY_ID,
  'POST /api/caricatures/:id/share': OWN_BY_ID,
  'DELETE /api/caricatures/:id/share': OWN_BY_ID,
  'GET /api/shares': OWN,
  'DELETE /api/shares/:id': OWN_BY_ID,
  // Authenticated by the token in the path.
  'GET /unsubscribe/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'POST /unsubscribe/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /preferences/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'POST /preferences/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  // Only with the dev outbox, and its key.
  'GET /dev/outbox/access': publicly(200),
  'GET /dev/outbox': OWN,
  'POST /dev/emails': OWN,
  'POST /dev/sms': OWN,
  'GET /dev/media/:id': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /dev/outbox/:id': { visitor: 401, anotherUser: 401, malformedId: 401 },
  'GET /p/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /p/:token/photo.jpg': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /p/:token/preview.jpg': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /api/contacts': OWN,
  'POST /api/contacts': OWN,
  'PATCH /api/contacts/:id': OWN_BY_ID,
  'DELETE /api/contacts/:id': OWN_BY_ID,
  'POST /api/objects/upload': OWN,
  'POST /api/uploads/known': OWN,
  'GET /api/user/storage': OWN,
  'GET /api/batches': OWN,
  'POST /api/batches': OWN,
  'POST /api/batches/:id/finish': OWN_BY_ID,
  'POST /api/batches/:id/restore': OWN_BY_ID,
  'DELETE /api/batches/:id': OWN_BY_ID,
  // Authenticated by the signature in the URL.
  'PUT /uploads/:id': { visitor: 403, anotherUser: 403, malformedId: 404 },
  'GET /objects/:id': OWN_BY_ID,
  'GET /objects/:id/original': OWN_BY_ID,
  'GET /api/events': OWN,
  // Authenticated by the token in the path.
  'POST /api/user/administrator': OWN,
  'GET /api/invitations/:token': { visitor: 404, anotherUser: 404, malformedId: 404 },
  'GET /api/admin/users': ADMINS,
  'GET /api/admin/backup': ADMINS,
  'PATCH /api/admin/users/:id': ADMINS_BY_ID,
  'DELETE /api/admin/users/:id': ADMINS_BY_ID,
  'POST /api/admin/users/:id/password-reset': ADMINS_BY_ID,
  'DELETE /api/admin/users/:id/totp': ADMINS_BY_ID,
  'GET /api/admin/warnings': ADMINS,
  'GET /api/admin/invitations': ADMINS,
  'POST /api/admin/invitations': ADMINS,
  'DELETE /api/admin/invitations/:id': ADMINS_BY_ID,
  'DELETE /api/admin/invites/:id': ADMINS_BY_ID,
  'POST /api/flipbooks/pdf': OWN,
  'GET /api/flipbooks/pdf/:id': OWN_BY_ID,
  'GET /api/flipbooks/pdf/:id/file': OWN_BY_ID,
  'GET /api/exports': OWN,
  'POST /api/exports': OWN,
  'GET /api/exports/parts/:id': OWN_BY_ID,
  'GET /api/imports': OWN,
  'POST /api/imports': OWN,
  'PUT /api/imports/:id/chunks/:number': OWN_BY_ID,
  'DELETE /api/imports/:id': OWN_BY_ID,
  // Remote sources, of which this server has links, Google's pickers and Dropbox. A vendor's 401 asks to sign in there.
  'POST /companion/url/meta': OWN,
  'POST /companion/url/get': OWN,
  'POST /companion/google-picker/get': OWN,
  'GET /companion/dropbox/connect': OWN,
  'GET /companion/dropbox/redirect': OWN,
  'GET /companion/dropbox/send-token': publicly(200),
  'POST /companion/dropbox/refresh-token': OWN,
  'POST /companion/dropbox/logout': OWN,
  'GET /companion/dropbox/list': OWN,
  'GET /companion/dropbox/list/:id': OWN_AT_VENDOR,
  'GET /companion/dropbox/search': OWN,
  'GET /companion/dropbox/thumbnail/:id': OWN_AT_VENDOR,
  'POST /companion/dropbox/get/:id': OWN_AT_VENDOR,
  'GET /companion/report-sign-in.js': publicly(200),
  // Of a phone's share sheet, without a service worker: stores nothing.
  'POST /share-target': publicly(303),
  'GET /{*path}': publicly(200),
};

/** Answered from memory, or at most every two seconds. All other requests without a session are limited for each client. */
const WITHOUT_LIMIT_OF_VISITORS = [
  'GET /api/health',
  'GET /api/health/ready',
  'GET /.well-known/change-password',
  'GET /api/config',
  'POST /share-target',
  'GET /{*path}',
];
/** Not among the writes of an account, which are limited as a whole. */
const OTHER_LIMITS: Record<string, string> = {
  'POST /api/logout': 'ends the session that it needs',
  'POST /api/logout/all': 'ends the session that it needs',
  'POST /api/objects/upload': 'uploads a minute, and open ones',
  'POST /api/memories/complete-upload': 'its upload',
  'PUT /api/imports/:id/chunks/:number': 'its import',
  'POST /share-target': 'reads and stores nothing',
};

type Route = { method: string; path: string };
type Layer = { route?: { path: string; methods: Record<string, boolean> }; handle: { stack?: Layer[] } };

const ENV = {
  GOOGLE_PICKER_CLIENT_ID: 'id',
  DROPBOX_KEY: 'key',
  DROPBOX_SECRET: 'secret',
  OIDC_ISSUER: 'http://127.0.0.1:1',
  OIDC_CLIENT_ID: 'mems',
};

let server: TestServer;
let routes: Route[];
let anotherUser: TestClient;
/** The owner's id of the kind that the path needs. */
let ownersIdFor: (path: string) => string;

beforeAll(async () => {
  server = await startTestServer({ env: ENV });
  routes = listRoutes((server.app as unknown as { router: Router & { stack: Layer[] } }).router.stack);
  anotherUser = await server.signUp();
  const owner = await server.signUp();
  const { id, imageUrl } = await addMemory(owner);
  const petId = await insertPet(server.context.db, owner.userId);
  const asked = await owner.post('/api/caricatures/generate', { petId, imageUrl });
  const { id: caricatureId } = asked.body as Caricature;
  const { id: pdfId } = (await owner.post('/api/flipbooks/pdf', { memoryIds: [id] })).body as FlipbookPdf;
  await owner.post('/api/exports');
  await server.drainJobs();
  const [exported] = (await owner.get('/api/exports')).body as Export[];
  const partId = exported?.parts[0]?.url.split('/').pop() ?? '';
  const started = await owner.post('/api/imports', { fileName: 'album.zip', size: 100 });
  const { id: importId } = started.body as Import;
  const { id: passkeyId } = await addTestPasskey(owner, `http://localhost:${new URL(server.origin).port}`);
  const { id: contactId } = await addContact(owner);
  const { id: deletedId } = await addMemory(owner);
  await deleteMemory(owner, deletedId);
  const raw = multipart('mixed', [file(await makePhoto())], { headers: { From: 'stranger@else.example' } });
  await pushEmail(server, await inboundEmailOf(owner), raw);
  await server.drainJobs();
  const [held] = (await owner.get('/api/held-messages')).body as HeldMessage[];
  const batchId = randomUUID();
  await owner.post('/api/batches', { id: batchId });
  ownersIdFor = (path) => {
    if (path.startsWith('/api/held-messages/')) return held?.id ?? '';
    if (path.startsWith('/api/memories/deleted/')) return deletedId;
    if (path.startsWith('/api/user/passkeys/')) return passkeyId;
    if (path.startsWith('/api/pets/')) return petId;
    if (path.startsWith('/api/batches/')) return batchId;
    if (path.startsWith('/api/flipbooks/')) return pdfId;
    if (path.startsWith('/api/exports/')) return partId;
    if (path.startsWith('/api/imports/')) return importId;
    if (path.startsWith('/api/caricatures/')) return caricatureId;
    if (path.startsWith('/api/contacts/')) return contactId;
    return path.startsWith('/api/memories/') ? id : imageUrl.replace('/objects/', '');
  };
});

function listRoutes(stack: Layer[]): Route[] {
  return stack.flatMap(({ route, handle }) => {
    if (!route) return handle.stack ? listRoutes(handle.stack) : [];
    return Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path }));
  });
}

async function ask(
  client: TestClient,
  { method, path }: Route,
  id: (path: string) => string,
  headers: Record<string, string> = {},
): Promise<number> {
  const url = path
    .replace(':number', '0')
    .replace(/:[a-zA-Z]+/, id(path))
    .replace('{*path}', '');
  const body = method === 'GET' ? {} : { json: {} };
  const { status } = await client.request(method, url, { ...body, headers });
  return status;
}

describe('all routes of the running app', () => {
  it('are listed above with their expected responses', () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(EXPECTED).sort(),
    );
  });

  it('are logged without the tokens in their paths', () => {
    const paths = routes.map(({ path }) => path).filter((path) => path.includes(':token'));
    expect(paths).not.toEqual([]);
    for (const path of paths) expect(redactPath(path)).not.toContain(':token');
  });

  it('respond to visitors, other users and malformed ids as listed', async () => {
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const expected = EXPECTED[name];
      const hasId = route.path.includes(':');
      const statuses = {
        visitor: await ask(server.visitor(), route, ownersIdFor),
        anotherUser: hasId ? await ask(anotherUser, route, ownersIdFor) : 'no id',
        malformedId: hasId ? await ask(anotherUser, route, () => 'no-uuid') : 'no id',
      };
      expect({ name, ...statuses }).toEqual({ name, ...expected });
    }
  });
});

describe('the limits of all routes', () => {
  const BURST = 3;
  const NO_ID = () => '00000000-0000-7000-8000-000000000000';
  let now = new Date('2026-06-01T12:00:00Z');
  let limited: TestServer;
  const nameOf = ({ method, path }: Route) => `${method} ${path}`;
  const isLimited = async (send: () => Promise<number>) => {
    for (let n = 0; n < BURST; n++) await send();
    return (await send()) === 429;
  };

  beforeAll(async () => {
    const burst = String(BURST);
    limited = await startTestServer({
      env: { ...ENV, TRUST_PROXY: '1', VISITOR_REQUEST_BURST: burst, WRITE_BURST: burst },
      overrides: { clock: { now: () => now } },
    });
  });

  it('hold for each request without a session', async () => {
    const unlimited = [];
    for (const [index, route] of routes.entries()) {
      const headers = { 'X-Forwarded-For': `198.51.100.${index}` };
      const client = limited.visitor();
      if (!(await isLimited(() => ask(client, route, NO_ID, headers)))) unlimited.push(nameOf(route));
    }
    expect(unlimited.sort()).toEqual(WITHOUT_LIMIT_OF_VISITORS.toSorted());
  });

  it('hold for each write of an account, if not listed above with its own', async () => {
    const unlimited = [];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      now = new Date(now.getTime() + 3_600_000);
      // Some routes end the session.
      const client = await limited.signUp();
      now = new Date(now.getTime() + 3_600_000);
      if (!(await isLimited(() => ask(client, route, NO_ID)))) unlimited.push(nameOf(route));
    }
    expect(unlimited.sort()).toEqual(Object.keys(OTHER_LIMITS).toSorted());
  });
});
