import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { User } from '#shared/accounts/user';
import { runAdminCommand } from '../../features/accounts/admin/admin-command.ts';
import { BUNDLED_SCRIPTS_FOLDER } from '../../platform/process/bundled-script.ts';
import { StartupError } from '../../platform/process/startup-error.ts';
import { startAppProcess } from '../../testing/environment/app-process.ts';
import { createTestLog } from '../../testing/environment/test-log.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { createTestClient } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';
import { turnTotpOn } from '../../testing/clients/totp.ts';
import { describeAccess } from '../describe-access.ts';
import { describeSecretLink } from '../secret-link.ts';

type Result = { code: number | null; output: string; errors: string };

/** In this process, which takes a fraction of a start. */
async function runAdmin(context: Parameters<typeof runAdminCommand>[0], ...args: string[]): Promise<Result> {
  try {
    const lines = await runAdminCommand(context, args);
    return { code: 0, output: lines.map((line) => `${line}\n`).join(''), errors: '' };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { code: 1, output: '', errors: `${error.message}\n` };
  }
}

async function startAdmin(settings: Record<string, string>, ...args: string[]): Promise<Result> {
  const program = spawn(process.execPath, [join(BUNDLED_SCRIPTS_FOLDER, 'admin-main.js'), ...args], {
    env: { ...settings, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(program, 'exit') as Promise<[number | null]>;
  const [output, errors] = await Promise.all([text(program.stdout), text(program.stderr)]);
  return { code: (await ended)[0], output, errors };
}

describe('npm run admin', () => {
  it('lists administrators, makes and removes them, but not the last one', async () => {
    const server = await startTestServer();
    const { context } = server;
    await server.signUpAdmin('first');
    const second = await server.signUp('second');
    const isAdmin = async () => ((await second.get('/api/user')).body as User).isAdmin;
    expect(await runAdmin(context)).toMatchObject({ code: 0, output: 'first@mems.example (first)\n' });
    expect(await runAdmin(context, 'SECOND@mems.example')).toMatchObject({
      code: 0,
      output: 'second@mems.example is an administrator now.\n',
    });
    expect(await isAdmin()).toBe(true);
    await runAdmin(context, '--remove', 'first@mems.example');
    const last = await runAdmin(context, '--remove', 'second@mems.example');
    expect(last).toMatchObject({ code: 1, output: '' });
    expect(last.errors).toBe('This is the last administrator. Make someone else an administrator first.\n');
    expect(await isAdmin()).toBe(true);
    const unknown = await runAdmin(context, 'eve@else.example');
    expect([unknown.code, unknown.errors]).toEqual([
      1,
      'There is no account with the address eve@else.example.\n',
    ]);
    expect((await runAdmin(context, '--delete', 'x')).errors).toContain('Usage: npm run admin');
  });

  it('turns off an authenticator app, also the last administrator’s, and tells the owner', async () => {
    const log = createTestLog();
    const server = await startTestServer({ overrides: { logger: log.logger } });
    const { context } = server;
    const owner = await server.signUpAdmin('first');
    await turnTotpOn(owner, new Date());
    const login = { email: 'first@mems.example', password: 'correct horse' };
    const signIn = async () => (await server.visitor().post('/api/login', login)).status;
    expect(await signIn()).toBe(202);
    expect((await runAdmin(context, '--turn-totp-off')).code).toBe(1);
    for (let n = 0; n < 2; n++)
      expect(await runAdmin(context, '--turn-totp-off', 'first@mems.example')).toMatchObject({
        code: 0,
        output: 'first@mems.example signs in without a code now.\n',
      });
    expect(await signIn()).toBe(200);
    log.lines.length = 0;
    await server.drainJobs();
    expect(log.securityEvents()).toMatchObject([
      { event: 'totp-off', userId: owner.userId, actorId: null, details: { by: 'npm run admin' } },
    ]);
    const subjects = (await readOutbox(server.dataDir)).map(({ subject }) => subject);
    const told = subjects.filter((subject) => subject === 'Signing in no longer asks for a code');
    expect(told).toHaveLength(1);
  });

  it('leaves an event in the log of the app for each change, and none without one', async () => {
    const log = createTestLog();
    const server = await startTestServer({ overrides: { logger: log.logger } });
    const { context } = server;
    await server.signUpAdmin('first');
    const { userId } = await server.signUp('second');
    await runAdmin(context, 'second@mems.example');
    await runAdmin(context, 'second@mems.example');
    await runAdmin(context, '--remove', 'second@mems.example');
    log.lines.length = 0;
    await server.drainJobs();
    const event = { event: 'account-edited', outcome: 'success', userId, actorId: null };
    expect(log.securityEvents()).toMatchObject([
      { ...event, details: { isAdmin: true, by: 'npm run admin' } },
      { ...event, details: { isAdmin: false, by: 'npm run admin' } },
    ]);
  });

  it('prints a link for a new password, and tells the owner by email', async () => {
    const smtp = await startSmtpServer();
    const log = createTestLog();
    const server = await startTestServer({ env: smtp.env, overrides: { logger: log.logger } });
    const { userId } = await server.signUp('oma');
    await server.drainJobs();
    smtp.received.length = 0;
    const { context } = server;
    const { code, output } = await runAdmin(context, '--password-link', 'oma@mems.example');
    const [, token] =
      /^Works once, for one hour: http:\/\/mems.example\/reset-password#([\w-]{43})\n$/.exec(output) ?? [];
    expect([code, token]).toEqual([0, expect.any(String)]);
    log.lines.length = 0;
    await server.drainJobs();
    const [email] = await smtp.emails();
    expect(smtp.received.map(({ to }) => to)).toEqual([['oma@mems.example']]);
    expect(email?.subject).toBe('A link for a new password was made');
    expect(email?.text).toContain('Choose a new password: http://mems.example/forgot-password\n');
    expect(log.securityEvents()).toMatchObject([
      { event: 'reset-link-created', userId, details: { by: 'npm run admin' } },
    ]);
    const reset = () => server.visitor().post('/api/password/reset', { token, password: 'another horse' });
    expect([(await reset()).status, (await reset()).status]).toEqual([200, 422]);
    expect((await runAdmin(context, '--password-link')).errors).toContain('Please name one address.');
    const both = await runAdmin(context, '--remove', '--password-link', 'oma@mems.example');
    expect([both.code, both.errors]).toEqual([
      1,
      expect.stringContaining('Use either --remove or --password-link.'),
    ]);
  });

  it('names an account with an unverified address only with --unverified', async () => {
    const server = await startTestServer();
    await server.signUpAdmin('first');
    const second = await server.signUp('second');
    const isAdmin = async () => ((await second.get('/api/user')).body as User).isAdmin;
    // With SMTP, an address has to be confirmed.
    const context = { ...server.context, mailer: { isEmbedded: false } };
    const rejected = await runAdmin(context, 'second@mems.example');
    expect([rejected.code, rejected.errors]).toEqual([
      1,
      'Their email address is not verified yet. To make them an administrator anyway, add --unverified.\n',
    ]);
    expect(await isAdmin()).toBe(false);
    expect(await runAdmin(context, '--unverified', 'second@mems.example')).toMatchObject({ code: 0 });
    expect(await isAdmin()).toBe(true);
    expect(await runAdmin(context, '--remove', 'second@mems.example')).toMatchObject({ code: 0 });
  });

  it('works beside the running app and while it is stopped, over the embedded database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const settings = { DATA_DIR: join(folder, 'data') };
    const app = await startAppProcess(settings);
    const account = { email: 'first@mems.example', username: 'first', password: 'correct horse' };
    await createTestClient(app.origin).post('/api/register', account);
    expect(await startAdmin(settings, account.email)).toMatchObject({ code: 0 });
    expect(await startAdmin(settings, 'eve@else.example')).toEqual({
      code: 1,
      output: '',
      errors: 'There is no account with the address eve@else.example.\n',
    });
    await app.stop();
    const stopped = await startAdmin(settings);
    expect([stopped.code, stopped.output]).toEqual([0, 'first@mems.example (first)\n']);
    await rm(folder, { recursive: true, force: true });
  });
});

describe('the start', () => {
  it('says that ADMIN_EMAIL changes nothing while there is an administrator', async () => {
    const at = await startTestServer({ env: { ADMIN_EMAIL: 'later@home.example' } });
    await at.signUpAdmin('first');
    expect(await describeAccess(at.context)).toEqual([
      'later@home.example is no administrator: ADMIN_EMAIL counts only while there is none. To add one: npm run admin -- you@home.example',
    ]);
  });

  it.each([
    [{}, ['Anyone who can open this address may create an account (REGISTRATION=open).']],
    [{ REGISTRATION: 'closed' }, ['Registration is closed; only invitations work (REGISTRATION=closed).']],
    [
      { OPENAI_API_KEY: 'a-key-for-this-test' },
      [
        'Anyone who can open this address may create an account (REGISTRATION=open).',
        'OpenAI is off: anyone can create an account here, and no address is verified. Set SMTP_URL, or REGISTRATION=invite.',
      ],
    ],
    [
      { REGISTRATION: 'invite', OPENAI_API_KEY: 'a-key-for-this-test' },
      [
        'New accounts need an invitation (REGISTRATION=invite).',
        'Without SMTP_URL, texts and caricatures by OpenAI are for administrators and the people they invite.',
      ],
    ],
  ])('beyond this machine says who may register and cause costs: %o', async (settings, expected) => {
    const { context } = await startTestServer({ env: { PUBLIC_URL: 'http://mems.example', ...settings } });
    expect(await describeAccess(context)).toEqual(expected);
  });

  it('prints that after its address', async () => {
    const server = await startTestServer();
    const folder = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const app = spawn(process.execPath, [join(BUNDLED_SCRIPTS_FOLDER, 'main.js')], {
      env: {
        DATABASE_URL: server.databaseUrl,
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'silent',
        PUBLIC_URL: 'http://mems.example',
        REGISTRATION: 'closed',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(app, 'exit');
    const lines: string[] = [];
    for await (const each of createInterface(app.stdout)) {
      lines.push(each);
      if (lines.length > 1) break;
    }
    app.kill('SIGTERM');
    await ended;
    expect(lines).toEqual([
      'Mems Are Forever is at http://mems.example',
      'Registration is closed; only invitations work (REGISTRATION=closed).',
    ]);
    await rm(folder, { recursive: true, force: true });
  });

  it('writes secret links into files for its user only, and prints their paths, where it has no terminal', async () => {
    const server = await startTestServer();
    const folder = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const settings = { DATABASE_URL: server.databaseUrl, DATA_DIR: folder };
    const file = (name: string) => join(folder, 'links', name);
    const start = async () => {
      const app = await startAppProcess(settings, { onLine: (line) => lines.push(line) });
      await expect.poll(() => lines.join('\n'), TIMEOUT).toContain(file('outbox'));
      await app.stop();
      return app.origin;
    };
    const lines: string[] = [];
    const origin = await start();
    expect(lines).toContain(
      `There is no administrator yet. To become it: the link is in ${file('administrator')}`,
    );
    expect(lines.join('\n')).not.toMatch(/invite=|key=/);
    const link = await readFile(file('administrator'), 'utf8');
    expect(link).toMatch(/^http:\S+\/auth\?invite=[\w-]{43}\n$/);
    expect(link).toContain(origin);
    expect(await readFile(file('outbox'), 'utf8')).toMatch(/\/dev\/outbox\?key=[\w-]{43}\n$/);
    for (const name of ['administrator', 'outbox']) expect((await stat(file(name))).mode & 0o777).toBe(0o600);
    await server.signUpAdmin('first');
    lines.length = 0;
    await start();
    expect(lines.join('\n')).not.toContain('administrator');
    await expect(stat(file('administrator'))).rejects.toMatchObject({ code: 'ENOENT' });
    await rm(folder, { recursive: true, force: true });
  });

  it('prints a secret link to a terminal only, and leaves no file', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const url = 'http://localhost:5000/auth?invite=token';
    const show = (isTerminal: boolean) => describeSecretLink({ dataDir, isTerminal }, 'administrator', url);
    expect(await show(false)).toBe(`the link is in ${join(dataDir, 'links', 'administrator')}`);
    expect(await show(true)).toBe(url);
    expect(await readdir(join(dataDir, 'links'))).toEqual([]);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('starts where it cannot write a secret link', async () => {
    const noFolder = join(import.meta.dirname, 'admin-main.test.ts');
    const output = { dataDir: noFolder, isTerminal: false };
    const shown = await describeSecretLink(
      output,
      'administrator',
      'http://localhost:5000/auth?invite=token',
    );
    expect(shown).toMatch(/^the link could not be written \(ENOTDIR.+\); start once in a terminal$/);
  });
});
