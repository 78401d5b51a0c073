import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { FakeServer, routes, type FakeResponse } from '../../client/src/testing/fake-server/fake-server.ts';
import { emptyState, idOf } from '../../client/src/testing/fake-server/state/fake-state.ts';
import { TOKEN } from '../../client/src/testing/fake-server/routes/user-routes.ts';
import { oidcIdentities } from '../../server/platform/db/schema/accounts/oidc.ts';
import { petForm } from '../../server/testing/data/factories.ts';
import { pushEmail, signedMessage } from '../../server/testing/data/inbound-email.ts';
import { file, multipart, plainText } from '../../server/testing/data/mime.ts';
import { addTestPasskey } from '../../server/testing/clients/passkey.ts';
import { makePhoto } from '../../server/testing/photos/photos.ts';
import type { TestClient } from '../../server/testing/clients/test-client.ts';
import { startSmtpServer, type TestSmtpServer } from '../../server/testing/fakes/smtp-server.ts';
import { startTestServer } from '../../server/testing/test-server.ts';
import { totpCode } from '../../server/testing/clients/totp.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../server/testing/fakes/twilio-server.ts';
import { calls, linkCalls, type Backend, type Call, type Ids, type Reply } from './contract-calls.ts';

/** The fake server answers these calls as the real one does, or browser tests over it would prove nothing. */

/** Routes that no screen calls, or whose answer needs the real thing. */
const NOT_FAKED = [
  // For pages of an earlier release.
  'DELETE /api/admin/invites/:id',
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

const ISSUER = 'http://127.0.0.1:1';
const LINKS = ['verify-email', 'not-me', 'confirm-email', 'undo-email', 'reset-password', 'start-again'];

/** Events never end, a proposal needs a file; the others need a link that is not in an email of these accounts. */
const COMPARED_BY_ERRORS = [
  'GET /api/events',
  'POST /api/pets/picture-proposal',
  'POST /api/user/administrator',
  'POST /api/user/secure',
];

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
    const comparison = createComparison();
    for (const { name: route, isForAdmins } of routes.filter(({ isPublic }) => !isPublic)) {
      const call = { route, id: 'missing', body: route.startsWith('GET') ? undefined : {}, status: 401 };
      comparison.add(
        call,
        await real.sendAs(real.server.visitor(), call),
        fake.sendAs({ isSignedIn: false }, call),
      );
      if (!isForAdmins) continue;
      const forbidden = { ...call, status: 403 };
      comparison.add(
        forbidden,
        await real.sendAs(member, forbidden),
        fake.sendAs({ isAdmin: false }, forbidden),
      );
    }
    comparison.expectSame();
  });

  it('answers each call of the table as the real one', () => compareCalls(calls, real, fake));

  it('answers the calls of emailed links, and those without a confirmed identity, as the real one', async () => {
    const withEmail = await startRealBackend({ smtp: await startSmtpServer() });
    await compareCalls(
      linkCalls,
      withEmail,
      createFakeBackend(withEmail.server.origin, { sendsEmail: true }),
    );
  });
});

async function compareCalls(table: typeof calls, realBackend: Backend, fakeBackend: Backend): Promise<void> {
  const comparison = createComparison();
  for (const call of table) {
    if (typeof call === 'function') await Promise.all([call(realBackend), call(fakeBackend)]);
    else comparison.add(call, await realBackend.send(call), await fakeBackend.send(call));
  }
  comparison.expectSame();
}

function createComparison() {
  const [reals, fakes]: [object[], object[]] = [[], []];
  return {
    add(call: Call, realReply: Reply, fakeReply: Reply) {
      const name = `${call.route}${call.query ?? ''} ${JSON.stringify(call.body ?? call.form ?? null)}`;
      // The table's status, so that it can be read without running it.
      const schemaErrors = findSchemaErrors(call, realReply);
      reals.push({ name, expected: call.status, schemaErrors, ...toComparable(realReply) });
      fakes.push({ name, expected: realReply.status, schemaErrors: [], ...toComparable(fakeReply) });
    },
    /** With all differences at once. */
    expectSame: () => expect(fakes).toEqual(reals),
  };
}

/** The client parses each response with this schema. */
function findSchemaErrors({ route }: Call, { status, body }: Reply) {
  const schema = routes.find(({ name }) => name === route)?.schema;
  const parsed = status < 400 && schema ? schema.safeParse(body) : null;
  return parsed?.error?.issues ?? [];
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
  let identityAgeMs = 0;
  const server = await startTestServer({
    overrides: {
      // The system of the tests may forbid isolation, which adds a warning.
      findIsolation: () => Promise.resolve('full'),
      clock: { now: () => new Date(new Date().getTime() + identityAgeMs) },
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
    async receiveForwardingRequest() {
      const headers = { From: 'forwarding-noreply@google.com', Subject: '(#123456789) Gmail' };
      const raw = await signedMessage(
        server,
        plainText('Confirmation code: 123456789', headers),
        'google.com',
      );
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
    expireConfirmedIdentity() {
      identityAgeMs = 11 * 60 * 1000;
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
    const { status, headers, body: text }: FakeResponse = server.respond(method, path, body);
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
      const [pet, another] = state.pets;
      state.heldMessages.push({
        id: idOf(8),
        sender: 'stranger@else.example',
        isSenderAuthenticated: false,
        subject: '',
        petId: another ? null : (pet?.id ?? null),
        photoCount: 1,
        createdAt: state.now,
        expiresAt: state.now,
      });
      return Promise.resolve();
    },
    receiveForwardingRequest() {
      const text = 'Confirmation code: 123456789';
      const request = { subject: '(#123456789) Gmail', code: '123456789', text, createdAt: state.now };
      state.forwardingRequests.push({ id: idOf(12), ...request });
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
    expireConfirmedIdentity() {
      state.isIdentityUnconfirmed = true;
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
  if (saveIdAs === 'invitation') ids['invitationToken'] = String(found['url']).split('=')[1] ?? '';
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
