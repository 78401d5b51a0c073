import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';

export const projectRoot = join(import.meta.dirname, '../../..');

/** The folder of one test's app, with everything that it may leave behind. */
export type AppFolder = {
  folder: string;
  /** The checkout to start; this one unless a test has made a copy. */
  checkout: string;
  dataDir: string;
  temporary: string;
  /** The user that runs the app, if not the current one. */
  user: { uid: number; gid: number } | null;
};

export type App = {
  npm: ChildProcess;
  /** The output of npm and the app so far. */
  output: () => string;
  /** Resolves to the exit code when npm and every process with its output have ended. */
  ended: Promise<number | null>;
};

export function createAppFolder(user: AppFolder['user'] = null): AppFolder {
  // Short, since it contains a socket and paths of sockets are limited.
  const folder = mkdtempSync(join(tmpdir(), 'mems-l-'));
  const installation = {
    folder,
    checkout: projectRoot,
    dataDir: join(folder, 'data'),
    temporary: join(folder, 't'),
    user,
  };
  mkdirSync(installation.temporary);
  if (user) for (const path of [folder, installation.temporary]) chownSync(path, user.uid, user.gid);
  return installation;
}

/** Kills the processes that a failed test has left. */
export function removeAppFolder(installation: AppFolder): void {
  for (const pid of findProcesses(installation)) kill(pid, 'SIGKILL');
  rmSync(installation.folder, { recursive: true, force: true, maxRetries: 20 });
}

/** Runs `npm start` in a process group, like a terminal. */
export function start(installation: AppFolder, settings: Record<string, string> = {}): App {
  const { PATH, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env;
  const outside = { PATH, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE };
  const given = Object.fromEntries(Object.entries(outside).filter(([, value]) => value !== undefined));
  const env = {
    HOME: installation.folder,
    TMPDIR: installation.temporary,
    DATA_DIR: installation.dataDir,
    PORT: '0',
    ENV_FILE: '',
  };
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: installation.checkout,
    env: { ...given, ...env, npm_config_update_notifier: 'false', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...installation.user,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { npm, output: () => output, ended: once(npm, 'close').then(([code]) => code as number | null) };
}

/** Waits for the app to print its URL. */
export async function waitForUrl(app: App, timeout = 60_000): Promise<string> {
  await expect
    .poll(() => / is at http/.test(app.output()) || app.npm.exitCode !== null, { timeout, message: 'starts' })
    .toBe(true);
  const address = /Mems Are Forever is at (http:\S+)/.exec(app.output())?.[1];
  expect(address, app.output()).toBeDefined();
  return address!;
}

export async function startAndWait(installation: AppFolder, settings?: Record<string, string>) {
  const app = start(installation, settings);
  return { ...app, address: await waitForUrl(app) };
}

/** The link that makes an account the administrator. The output is no terminal, so the start has written it to a file. */
export function readAdministratorLink({ dataDir }: Pick<AppFolder, 'dataDir'>): string {
  return readFileSync(join(dataDir, 'links', 'administrator'), 'utf8').trim();
}

/** Finds the app's processes by working directory, arguments or environment. */
export function findProcesses({ folder, dataDir }: AppFolder): number[] {
  const belongs = (pid: number) => {
    const facts = [read(pid, 'cmdline'), read(pid, 'environ'), cwd(pid)];
    return (
      pid !== process.pid &&
      facts.some((fact) => fact.includes(dataDir) || fact.includes(`${folder}/checkout`))
    );
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && belongs(pid));
}

/** npm's child process. */
export function findServer(installation: AppFolder): number {
  const found = findProcesses(installation).filter((pid) =>
    /^node\0(--\S+\0)?scripts\/start\.mjs/.test(read(pid, 'cmdline')),
  );
  expect(found).toHaveLength(1);
  return found[0]!;
}

export function findPostmaster({ dataDir }: AppFolder): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
}

export async function expectNothingLeft(installation: AppFolder): Promise<void> {
  await expect.poll(() => findProcesses(installation), { message: 'processes left' }).toEqual([]);
  expect(readdirSync(installation.temporary).filter((name) => name.startsWith('mems-'))).toEqual([]);
  expect(readdirSync(installation.dataDir).filter((name) => name.startsWith('lock'))).toEqual([]);
  expect(existsSync(join(installation.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
}

const person = { email: 'nora@example.com', username: 'nora', password: 'correct horse battery' };

async function post(address: string, path: string, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
}

export async function register(address: string): Promise<void> {
  expect(await post(address, '/api/register', person)).toBe(201);
}

/** Registers and opens the event stream, like a page. */
export async function subscribeToEvents(address: string): Promise<Response> {
  const registered = await fetch(`${address}/api/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  });
  return fetch(`${address}/api/events`, { headers: { Cookie: sessionCookie(registered) ?? '' } });
}

/** As `mems.sid=…`; undefined if the response sets none. */
export function sessionCookie({ headers }: Response): string | undefined {
  const cookie = headers.getSetCookie().find((each) => each.startsWith('mems.sid='));
  return cookie?.split(';')[0];
}

export function logIn(address: string): Promise<number> {
  return post(address, '/api/login', { email: person.email, password: person.password });
}

/** The body of a registration that a test sends in two halves. */
export const partialRegistration = JSON.stringify({ ...person, email: 'late@example.com', username: 'late' });

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function cwd(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
