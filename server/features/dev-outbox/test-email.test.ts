import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { projectRoot } from '../../platform/process/project-root.ts';
import { outboxVisitor } from '../../testing/clients/dev-outbox.ts';
import { inboundEmailOf } from '../../testing/data/inbound-email.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';

const FROM = 'mara@mems.example';

const server = await startTestServer();
const owner = await server.signUp('mara');
const to = await inboundEmailOf(owner);

function send(
  fields: Record<string, string>,
  photos: Buffer[] = [],
  headers = { Accept: 'text/html' },
  at = server,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ from: FROM, to, ...fields })) form.set(name, value);
  for (const bytes of photos) form.append('photos', new Blob([new Uint8Array(bytes)]), 'Räx 🐕.jpg');
  return outboxVisitor(at).request('POST', '/dev/emails', { body: form, headers });
}
const memories = async () => (await owner.get('/api/memories')).body as Memory[];

describe('a test email', () => {
  it('arrives as from a mail server, and is answered', async () => {
    const sent = await send({ subject: 'At the beach 🏖️, and home again: all in one long day of ours' }, [
      await makePhoto(),
    ]);
    expect([sent.status, sent.headers.get('Location')]).toEqual([303, '/dev/outbox?mailed=1']);
    expect((await outboxVisitor(server).get('/dev/outbox?mailed=1')).text).toContain('Your email was sent.');
    await server.drainJobs();
    expect(await memories()).toMatchObject([
      { caption: 'At the beach 🏖️, and home again: all in one long day of ours', source: 'email' },
    ]);
    expect((await outboxVisitor(server).get('/dev/outbox')).text).toContain('Re: At the beach');
  });

  it.each([
    [{ from: 'mara' }, 'Please enter a valid email address.'],
    [{ to: 'x@in.mems.localhost' }, 'No account has this address for photos.'],
    [{ to: '' }, 'Please enter the account’s own address for photos.'],
    [{ text: 'x'.repeat(10_001) }, 'A test email has at most 10000 characters.'],
  ])('shows errors in the form and keeps its values: %#', async (fields, message) => {
    const page = await send({ subject: 'Rex: 1 < 2', ...fields });
    expect(page.status).toBe(422);
    expect(page.text).toContain(message);
    expect(page.text).toContain('value="Rex: 1 &lt; 2"');
    const response = await send(fields, [], { Accept: 'application/json' });
    expect([response.status, (response.body as { message: string }).message]).toEqual([422, message]);
  });

  it('shows why it was not accepted', async () => {
    const few = await startTestServer({ env: { INBOUND_MAILS_PER_HOUR: '1' } });
    const fields = { to: await inboundEmailOf(await few.signUp()) };
    const headers = { Accept: 'application/json' };
    expect((await send(fields, [], headers, few)).status).toBe(202);
    const { status, body } = await send(fields, [], headers, few);
    expect(status).toBe(503);
    expect((body as { message: string }).message).toMatch(
      /^The email was rejected: Too many emails\. Please try/,
    );
  });

  it('cannot be sent with inbound email configured or with a public URL', async () => {
    const open = await startTestServer({
      env: { INBOUND_MAIL_DOMAIN: 'in.mems.example', INBOUND_MAIL_SECRET: 's'.repeat(32) },
    });
    const offered = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    for (const other of [open, offered])
      expect((await send({}, [], { Accept: 'text/html' }, other)).status).toBe(404);
  });
});

describe('npm run email', () => {
  const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const options = { cwd: server.dataDir, env: { ENV_FILE: '', DATA_DIR: server.dataDir, ...env } };
      const script = join(projectRoot, 'scripts/email.mjs');
      execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  const port = () => ({ PORT: new URL(server.origin).port });

  it('sends an email to the running app', async () => {
    await writeFile(join(server.dataDir, 'snow.jpg'), await makePhoto({ width: 70 }));
    const { code, output } = await run(
      ['--to', to, '--from', FROM, '--subject', 'First snow', 'snow.jpg'],
      port(),
    );
    expect([code, output]).toEqual([0, expect.stringContaining(`Sent with 1 photo from ${FROM}. The reply`)]);
    await server.drainJobs();
    expect((await memories())[0]?.caption).toBe('First snow');
  });

  it.each([
    [['--from', FROM], '--to is missing'],
    [['--to', 'x@y.example'], '--from is missing'],
    [['--nothing'], 'Usage: npm run email'],
    [['--to', 'x@in.mems.localhost', '--from', FROM], 'No account has this address for photos.'],
    [['--to', 'x@in.mems.localhost', '--from', FROM, 'nothing.jpg'], /There is no file \/.*nothing\.jpg/],
  ])('explains wrong arguments: %j', async (args, message) => {
    const { code, output } = await run(args, port());
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toMatch(/\n\s+at /);
  });
});
