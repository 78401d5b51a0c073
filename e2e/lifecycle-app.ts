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

export const projectRoot = join(import.meta.dirname, '..');

/** A place for one test's app, with all that it may leave behind. */
export type Place = {
  folder: string;
  /** The checkout that is started; our own unless a test has made a copy. */
  checkout: string;
  dataDir: string;
  temporary: string;
  /** Whom the app runs as, when not as ourselves. */
  user: { uid: number; gid: number } | null;
};

export type App = {
  npm: ChildProcess;
  /** All that npm and the app have printed so far. */
  output: () => string;
  /** Resolves to the exit code once npm and everything that held its output has ended. */
  ended: Promise<number | null>;
};

export function makePlace(user: Place['user'] = null): Place {
  // Short: the path of a socket lies in it.
  const folder = mkdtempSync(join(tmpdir(), 'mems-l-'));
  const place = {
    folder,
    checkout: projectRoot,
    dataDir: join(folder, 'data'),
    temporary: join(folder, 't'),
    user,
  };
  mkdirSync(place.temporary);
  if (user) for (const path of [folder, place.temporary]) chownSync(path, user.uid, user.gid);
  return place;
}

/** Ends whatever a failed test has left running. */
export function removePlace(place: Place): void {
  for (const pid of processesOf(place)) kill(pid, 'SIGKILL');
  rmSync(place.folder, { recursive: true, force: true, maxRetries: 20 });
}

/** `npm start`, in a group of its own as a terminal would have it. */
export function start(place: Place, settings: Record<string, string> = {}): App {
  const { PATH, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env;
  const outside = { PATH, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE };
  const given = Object.fromEntries(Object.entries(outside).filter(([, value]) => value !== undefined));
  const env = {
    HOME: place.folder,
    TMPDIR: place.temporary,
    DATA_DIR: place.dataDir,
    PORT: '0',
    ENV_FILE: '',
  };
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: place.checkout,
    env: { ...given, ...env, npm_config_update_notifier: 'false', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...place.user,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { npm, output: () => output, ended: once(npm, 'close').then(([code]) => code as number | null) };
}

/** The address, once the app has printed it. */
export async function addressOf(app: App, timeout = 60_000): Promise<string> {
  await expect
    .poll(() => / is at http/.test(app.output()) || app.npm.exitCode !== null, { timeout, message: 'starts' })
    .toBe(true);
  const address = /Mems Are Forever is at (http:\S+)/.exec(app.output())?.[1];
  expect(address, app.output()).toBeDefined();
  return address!;
}

export async function startAndWait(place: Place, settings?: Record<string, string>) {
  const app = start(place, settings);
  return { ...app, address: await addressOf(app) };
}

/** All processes that belong to this app: by where they work, what they were called with, or what they were given. */
export function processesOf({ folder, dataDir }: Place): number[] {
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

/** The process that became the server: npm's child. */
export function serverOf(place: Place): number {
  const found = processesOf(place).filter((pid) =>
    read(pid, 'cmdline').startsWith('node\0scripts/start.mjs'),
  );
  expect(found).toHaveLength(1);
  return found[0]!;
}

export function postmasterOf({ dataDir }: Place): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Looks for everything that a clean end leaves nothing of. */
export async function expectNothingLeft(place: Place): Promise<void> {
  await expect.poll(() => processesOf(place), { message: 'processes left' }).toEqual([]);
  expect(readdirSync(place.temporary).filter((name) => name.startsWith('mems-'))).toEqual([]);
  expect(readdirSync(place.dataDir).filter((name) => name.startsWith('lock'))).toEqual([]);
  expect(existsSync(join(place.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
}

const person = { email: 'nora@example.com', username: 'nora', password: 'correct horse battery' };

async function post(address: string, path: string, body: object): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await answer.arrayBuffer();
  return answer.status;
}

export async function register(address: string): Promise<void> {
  expect(await post(address, '/api/register', person)).toBe(201);
}

/** Registers, and opens the account's stream of events as a page would. */
export async function followEvents(address: string): Promise<Response> {
  const registered = await fetch(`${address}/api/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(person),
  });
  const [cookie = ''] = registered.headers.getSetCookie();
  return fetch(`${address}/api/events`, { headers: { Cookie: cookie.split(';')[0]! } });
}

export function logIn(address: string): Promise<number> {
  return post(address, '/api/login', { email: person.email, password: person.password });
}

/** A registration of which only half has arrived; `finish` sends the rest. */
export const halfARegistration = JSON.stringify({ ...person, email: 'late@example.com', username: 'late' });

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
