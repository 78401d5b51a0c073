import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogger } from '../platform/logging/logger.ts';
import { addContact, addMemory } from '../testing/data/factories.ts';
import { startScriptedSmtpServer } from '../testing/fakes/scripted-smtp-server.ts';
import { startTestServer } from '../testing/test-server.ts';

it('no line of the log contains a token or a signature, at any level', async () => {
  const lines: string[] = [];
  const smtp = await startScriptedSmtpServer();
  const logger = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) });
  const server = await startTestServer({
    overrides: { logger },
    env: {
      PUBLIC_URL: 'http://mems.example',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'album@mems.example',
      MAIL_GROUPING_SECONDS: '0',
    },
  });
  const owner = await server.signUp('owner');
  const visitor = server.visitor();
  const secrets: string[] = [];

  // A mail server that quotes the links of the email it rejects.
  smtp.setScript((phase, recipient) => {
    if (phase !== 'message') return undefined;
    const mime =
      smtp.messages
        .at(-1)
        ?.mime.toString('utf8')
        .replace(/=\r?\n/g, '') ?? '';
    const link = /http\S+?\/(?:verify-email#|reset-password#|unsubscribe\/)[\w-]+/.exec(mime)?.[0] ?? '';
    secrets.push(link.split(/[#/]/).at(-1) ?? '');
    return `550 5.1.1 <${recipient}>: rejected because of ${link} in it`;
  });
  await server.drainJobs();
  await visitor.post('/api/password/forgot', { email: 'owner@mems.example' });
  await server.drainJobs();
  await server.context.db.execute('update users set email_verified_at = now()');
  await addContact(owner);
  await server.drainJobs();
  expect(secrets).toHaveLength(3);

  const { id, imageUrl } = await addMemory(owner);
  const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
  const share = url.split('/').at(-1) ?? '';
  const unsubscribe = secrets[2] ?? '';
  const file = join(server.dataDir, 'objects/variants', imageUrl.replace('/objects/', ''), 'shared-v2.jpg');
  await rm(file, { force: true });
  await mkdir(file, { recursive: true });
  expect((await visitor.get(`/p/${share}`)).status).toBe(200);
  // Truncated: a folder cannot be read.
  await expect(visitor.get(`/p/${share}/photo.jpg`)).rejects.toThrow('fetch failed');
  expect((await visitor.get(`/P/${share}/`)).status).toBe(200);
  for (const path of ['unsubscribe', 'preferences']) {
    expect((await visitor.get(`/${path}/${unsubscribe}`)).status).toBe(200);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    await visitor.request('POST', `/${path}/${unsubscribe}`, { body: 'x', headers });
  }
  secrets.push(share);

  const asked = await owner.post('/api/objects/upload', { contentType: 'image/jpeg', size: 3 });
  const upload = new URL((asked.body as { uploadURL: string }).uploadURL);
  secrets.push(upload.searchParams.get('signature') ?? '');
  const headers = { 'Content-Type': 'image/jpeg' };
  await owner.request('PUT', upload.pathname + upload.search, { body: 'abc', headers });
  for (const path of [
    '/auth?invite=',
    '/api/invitations/',
    '/api/invites/',
    '/reset-password?token=',
    '/dev/outbox?key=',
  ]) {
    const secret = `secret-of-${path.replace(/\W/g, '')}`;
    secrets.push(secret);
    await visitor.get(path + secret);
  }
  const session = decodeURIComponent(owner.cookie()).replace(/^.*=s:/, '');
  secrets.push(session, session.split('.')[0] ?? '', 'correct horse', 'owner@mems.example', 'family.example');
  await owner.post('/api/logout');

  await visitor.get('/api/%0A{"level":60}');
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  const log = lines.join('');
  expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
  expect(log).toContain('/p/[redacted]/photo.jpg');
  expect(log).toContain('/verify-email#[redacted]');
  expect(log).toContain('"request errored"');
});
