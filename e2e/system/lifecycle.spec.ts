import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import {
  waitForUrl,
  expectNothingLeft,
  subscribeToEvents,
  partialRegistration,
  kill,
  logIn,
  createAppFolder,
  findPostmaster,
  findProcesses,
  projectRoot,
  register,
  removeAppFolder,
  findServer,
  start,
  startAndWait,
  type AppFolder,
} from '../support/apps/lifecycle-app.ts';

let installation: AppFolder;

test.beforeEach(() => {
  installation = createAppFolder();
});

test.afterEach(() => removeAppFolder(installation));

test.describe('npm start', () => {
  test('ends on a SIGTERM to npm alone, event streams first, and leaves nothing behind', async () => {
    const { address, npm, ended } = await startAndWait(installation);
    const events = await subscribeToEvents(address);
    expect(findProcesses(installation).length).toBeGreaterThan(2);
    npm.kill('SIGTERM');
    // Complete: a truncated response would throw.
    expect(await events.text()).toContain('retry: ');
    await ended;
    await expectNothingLeft(installation);
  });

  test('ends on Ctrl-C, which reaches npm and the app, and leaves nothing behind', async () => {
    const { npm, ended, output } = await startAndWait(installation);
    process.kill(-npm.pid!, 'SIGINT');
    await ended;
    expect(output()).toContain('Stopping (SIGINT)');
    await expectNothingLeft(installation);
  });

  test('ends on Ctrl-C while it creates the database, and leaves nothing behind', async () => {
    const { npm, ended, output } = start(installation);
    await expect.poll(output, { timeout: 30_000 }).toContain('Making the database');
    process.kill(-npm.pid!, 'SIGINT');
    await ended;
    await expectNothingLeft(installation);
    const { address } = await startAndWait(installation);
    await register(address);
  });

  test('finishes a running request before it ends', async () => {
    const { address, npm, ended, output } = await startAndWait(installation);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': partialRegistration.length };
    const late = request(`${address}/api/register`, { method: 'POST', headers });
    late.write(partialRegistration.slice(0, 20));
    // A request on another connection: when it is answered, the first half of the registration has arrived.
    await logIn(address);
    npm.kill('SIGTERM');
    await expect.poll(output).toContain('Stopping (SIGTERM)');
    late.end(partialRegistration.slice(20));
    const [response] = (await once(late, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(201);
    expect(response.headers.connection).toBe('close');
    await ended;
    await expectNothingLeft(installation);
  });

  test('restarts with everything acknowledged after all processes were killed', async () => {
    const first = await startAndWait(installation);
    await register(first.address);
    for (const pid of [first.npm.pid!, ...findProcesses(installation)]) kill(pid, 'SIGKILL');
    await first.ended;
    const { address, npm, ended } = await startAndWait(installation);
    expect(await logIn(address)).toBe(200);
    npm.kill('SIGTERM');
    await ended;
    await expectNothingLeft(installation);
  });

  test('starts while the Postgres of a killed app is still running', async () => {
    const first = await startAndWait(installation);
    await register(first.address);
    const orphan = findPostmaster(installation);
    // Stopped (SIGSTOP), it does not end together with the app.
    process.kill(orphan, 'SIGSTOP');
    kill(findServer(installation), 'SIGKILL');
    await expect.poll(() => first.npm.exitCode !== null || first.npm.signalCode !== null).toBe(true);
    const { address, output } = await startAndWait(installation);
    expect(output()).toContain(`A Postgres of an earlier run (process ${orphan})`);
    expect(await logIn(address)).toBe(200);
  });

  test('restarts a killed Postgres', async () => {
    const { address } = await startAndWait(installation);
    await register(address);
    const killed = findPostmaster(installation);
    kill(killed, 'SIGKILL');
    await expect.poll(() => logIn(address), { timeout: 30_000 }).toBe(200);
    expect(findPostmaster(installation)).not.toBe(killed);
  });

  test('ends with an error that names the process using the data folder', async () => {
    const { address } = await startAndWait(installation);
    const second = start(installation);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`in use by process ${findServer(installation)}, since `);
    expect(second.output()).toContain(`serving ${address}`);
    expect(await logIn(address)).toBe(401);
  });

  test('reports a taken port in one line, and leaves nothing behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { ended, output } = start(installation, { PORT: String(port) });
    expect(await ended).toBe(1);
    expect(output().trim().split('\n').at(-1)).toMatch(new RegExp(`^Port ${port} .*taken`));
    await expectNothingLeft(installation);
    other.close();
  });

  test('rejects a data folder of another version and changes nothing', async () => {
    mkdirSync(installation.dataDir);
    writeFileSync(join(installation.dataDir, 'VERSION'), '99\n');
    const { ended, output } = start(installation);
    expect(await ended).toBe(1);
    expect(output()).toContain('has version 99; this program reads version 1');
    expect(readdirSync(installation.dataDir)).toEqual(['VERSION']);
  });

  test('does not pass its secrets on', async () => {
    await startAndWait(installation);
    const secrets = join(installation.dataDir, 'secrets');
    expect(readdirSync(secrets).sort()).toEqual(['postgres', 'session', 'upload']);
    for (const name of readdirSync(secrets)) expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o600);
  });
});

/** The files of a clone, with uncommitted changes. */
function copyCheckout(): void {
  installation.checkout = join(installation.folder, 'checkout');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((each) => each && existsSync(join(projectRoot, each)))) {
    mkdirSync(join(installation.checkout, dirname(path)), { recursive: true });
    cpSync(join(projectRoot, path), join(installation.checkout, path));
  }
  if (installation.user) chown(installation.checkout, installation.user);
}

/** The packages that npm has here, so that no test waits for the registry. npm looks for them by their hash. */
function copyPackageCache(): void {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  const lock = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
  const copy = join(installation.folder, '.npm');
  for (const { integrity } of Object.values(packages)) {
    const [, algorithm, hash] = /^(\w+)-(\S+)/.exec(integrity ?? '') ?? [];
    if (!algorithm || !hash) continue;
    const hex = Buffer.from(hash, 'base64').toString('hex');
    const path = join('_cacache/content-v2', algorithm, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    if (existsSync(join(cache, path))) cpSync(join(cache, path), join(copy, path));
  }
  if (installation.user && existsSync(copy)) chown(copy, installation.user);
}

const isRoot = process.getuid?.() === 0;
const otherUser = { uid: 65_534, gid: 65_534 };

test('a fresh checkout in an unreadable folder installs, builds and serves as a user, and serves as root', async () => {
  test.setTimeout(10 * 60_000);
  removeAppFolder(installation);
  installation = createAppFolder(isRoot ? otherUser : null);
  copyCheckout();
  copyPackageCache();
  expect(statSync(installation.folder).mode & 0o777).toBe(0o700);

  const interrupted = start(installation);
  await expect.poll(interrupted.output, { timeout: 30_000 }).toContain('Installing packages');
  await expect.poll(() => findProcesses(installation).length).toBeGreaterThan(2);
  interrupted.npm.kill('SIGTERM');
  await interrupted.ended;
  await expect.poll(() => findProcesses(installation), { message: 'processes left' }).toEqual([]);

  // A simultaneous second start waits until the first one has installed and built.
  const other = { ...installation, dataDir: join(installation.folder, 'other') };
  const apps = [start(installation, { NODE_ENV: 'production' }), start(other, { NODE_ENV: 'production' })];
  for (const app of apps) await expectPage(await waitForUrl(app, 8 * 60_000));
  expect(apps.map(({ output }) => output()).join('')).toContain('waiting');
  for (const { npm } of apps) npm.kill('SIGTERM');
  for (const { ended } of apps) await ended;
  await expectNothingLeft(installation);
  await expectQuickStart();

  // Root has installed and built before this test; only its Postgres is new in the folder.
  if (!isRoot) return;
  chown(installation.folder, { uid: 0, gid: 0 });
  installation = { ...installation, user: null, dataDir: join(installation.folder, 'of-root') };
  await expectQuickStart();
});

async function expectPage(address: string): Promise<void> {
  expect(await (await fetch(address)).text()).toContain('<div id="root">');
}

/** A start with nothing to install or build. */
async function expectQuickStart(): Promise<void> {
  const startedAt = performance.now();
  const { address, npm, ended, output } = await startAndWait(installation);
  test.info().annotations.push({
    type: 'a start with nothing changed',
    description: `${Math.round(performance.now() - startedAt)} ms`,
  });
  expect(output()).not.toMatch(/Installing|Building/);
  await expectPage(address);
  npm.kill('SIGTERM');
  await ended;
  await expectNothingLeft(installation);
}

function chown(path: string, { uid, gid }: { uid: number; gid: number }): void {
  expect(spawnSync('chown', ['-R', `${uid}:${gid}`, path]).status).toBe(0);
}
