import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { User } from '#shared/user';
import { BUNDLED_SCRIPTS_FOLDER } from '../platform/bundled-script.ts';
import { startAppProcess } from '../testing/app-process.ts';
import { createTestClient } from '../testing/test-client.ts';
import { startTestServer } from '../testing/test-server.ts';

async function runAdmin(settings: Record<string, string>, ...args: string[]) {
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
    const settings = { DATABASE_URL: server.databaseUrl };
    await server.signUp('first');
    const second = await server.signUp('second');
    const isAdmin = async () => ((await second.get('/api/user')).body as User).isAdmin;
    expect(await runAdmin(settings)).toMatchObject({ code: 0, output: 'first@mems.example (first)\n' });
    expect(await runAdmin(settings, 'SECOND@mems.example')).toMatchObject({
      code: 0,
      output: 'second@mems.example is an administrator now.\n',
    });
    expect(await isAdmin()).toBe(true);
    await runAdmin(settings, '--remove', 'first@mems.example');
    const last = await runAdmin(settings, '--remove', 'second@mems.example');
    expect(last).toMatchObject({ code: 1, output: '' });
    expect(last.errors).toBe('This is the last administrator. Make somebody else an administrator first.\n');
    expect(await isAdmin()).toBe(true);
    const unknown = await runAdmin(settings, 'eve@else.example');
    expect([unknown.code, unknown.errors]).toEqual([
      1,
      'There is no account with the address eve@else.example.\n',
    ]);
    expect((await runAdmin(settings, '--delete', 'x')).errors).toContain('Usage: npm run admin');
  });

  it('names an account with an unverified address only with --unverified', async () => {
    const server = await startTestServer();
    await server.signUp('first');
    const second = await server.signUp('second');
    const isAdmin = async () => ((await second.get('/api/user')).body as User).isAdmin;
    const settings = {
      DATABASE_URL: server.databaseUrl,
      PUBLIC_URL: 'http://mems.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'album@mems.example',
    };
    const refused = await runAdmin(settings, 'second@mems.example');
    expect([refused.code, refused.errors]).toEqual([
      1,
      'Their email address is not confirmed yet. To make them an administrator anyway, add --unverified.\n',
    ]);
    expect(await isAdmin()).toBe(false);
    expect(await runAdmin(settings, '--unverified', 'second@mems.example')).toMatchObject({ code: 0 });
    expect(await isAdmin()).toBe(true);
    expect(await runAdmin(settings, '--remove', 'second@mems.example')).toMatchObject({ code: 0 });
  });

  it('works beside the running app and while it is stopped, over the embedded database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const settings = { DATA_DIR: join(folder, 'data') };
    const app = await startAppProcess(settings);
    for (const name of ['first', 'second'])
      await createTestClient(app.origin).post('/api/register', {
        email: `${name}@mems.example`,
        username: name,
        password: 'correct horse',
      });
    expect(await runAdmin(settings, 'second@mems.example')).toMatchObject({ code: 0 });
    await app.stop();
    const stopped = await runAdmin(settings);
    expect([stopped.code, stopped.output]).toEqual([
      0,
      'first@mems.example (first)\nsecond@mems.example (second)\n',
    ]);
    await rm(folder, { recursive: true, force: true });
  });
});

describe('the start', () => {
  it.each([
    [{}, 'Anyone who can open this address may create an account (REGISTRATION=open).'],
    [{ REGISTRATION: 'invite' }, 'New accounts need an invitation (REGISTRATION=invite).'],
    [{ REGISTRATION: 'closed' }, 'Registration is closed; only invitations work (REGISTRATION=closed).'],
  ])('beyond this machine says who may register: %o', async (settings, line) => {
    const server = await startTestServer();
    const folder = await mkdtemp(join(tmpdir(), 'mems-admin-'));
    const shared = { DATABASE_URL: server.databaseUrl, DATA_DIR: folder };
    const app = spawn(process.execPath, [join(BUNDLED_SCRIPTS_FOLDER, 'main.js')], {
      env: { ...shared, PORT: '0', LOG_LEVEL: 'silent', PUBLIC_URL: 'http://mems.example', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(app, 'exit');
    const lines: string[] = [];
    for await (const each of createInterface(app.stdout)) {
      lines.push(each);
      if (each === line) break;
    }
    app.kill('SIGTERM');
    await ended;
    expect(lines).toEqual(['Mems Are Forever is at http://mems.example', line]);
    await rm(folder, { recursive: true, force: true });
  });
});
