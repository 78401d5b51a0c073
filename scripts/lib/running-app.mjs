import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.mjs';
import { StepError } from './run.mjs';

/** Posts the fields and photos of the command line to a test form of the running app. @throws StepError */
export async function sendForm(args, { path, usage, needed, others, rejection }) {
  const { fields, files, at } = parse(args, { usage, needed, others });
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append('photos', readPhoto(file), basename(file));
  const running = runningAt();
  const address = at ?? running;
  const { searchParams } = new URL(address);
  // The link that the start prints has the key. The key of this folder is for its own app only.
  const key = searchParams.get('key') ?? (isOwnAddress(address, running) ? readKey() : '');
  const response = await post(new URL(path, address), form, key);
  if (response.status === 404) throw new StepError(`The app at ${address} ${rejection}`);
  const body = await response.json().catch(() => ({}));
  if (response.status === 401)
    throw new StepError(
      `${body.message} Give --at the link to the outbox that the app printed when it started.`,
    );
  if (!response.ok) throw new StepError(body.message ?? `The app answered ${response.status}.`);
  const photos = files.length === 1 ? '1 photo' : `${files.length} photos`;
  return {
    message: files.length > 0 ? `Sent with ${photos}` : 'Sent',
    fields,
    body,
    outbox: new URL(`/dev/outbox?key=${key}`, address),
  };
}

function parse(args, { usage, needed, others }) {
  const names = [...Object.keys(needed), ...others];
  const options = Object.fromEntries([...names, 'at'].map((name) => [name, { type: 'string' }]));
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new StepError(`${error.message}\n${usage}`);
  }
  const { at, ...values } = parsed.values;
  for (const [name, whatItIs] of Object.entries(needed))
    if (!values[name]) throw new StepError(`--${name} is missing: ${whatItIs}.\n${usage}`);
  if (at !== undefined && !/^https?:\/\/./.test(at))
    throw new StepError(`--at ${at} is no address.\n${usage}`);
  // npm changes to the project's folder; file names are relative to where it was called.
  const here = process.env.INIT_CWD ?? process.cwd();
  return {
    fields: Object.fromEntries(names.map((name) => [name, values[name] ?? ''])),
    files: parsed.positionals.map((file) => resolve(here, file)),
    at,
  };
}

/** Whether it is this machine, or where the app of this folder said it is. */
function isOwnAddress(address, running) {
  const { hostname, origin } = new URL(address);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isLoopback || origin === new URL(running).origin;
}

function readKey() {
  const { DATA_DIR = './data' } = process.env;
  try {
    return readFileSync(join(resolve(root, DATA_DIR), 'outbox', 'key'), 'utf8').trim();
  } catch {
    // No app has run in this data folder.
    return '';
  }
}

/** The app writes its address into the lock file of its data folder. */
function runningAt() {
  const { DATA_DIR = './data', PORT = '5000' } = process.env;
  try {
    const { address } = JSON.parse(readFileSync(join(resolve(root, DATA_DIR), 'lock'), 'utf8'));
    if (address) return address;
  } catch {
    // No app runs in this data folder.
  }
  return `http://localhost:${PORT}`;
}

async function post(url, body, key) {
  const headers = { Accept: 'application/json', Cookie: `mems.outbox=${key}` };
  try {
    return await fetch(url, { method: 'POST', headers, body });
  } catch {
    throw new StepError(`No app answers at ${url.origin}. Start it with npm start, or name it with --at.`);
  }
}

function readPhoto(file) {
  try {
    if (!statSync(file).isFile()) throw new StepError(`${file} is not a file.`);
    return new Blob([readFileSync(file)]);
  } catch (error) {
    if (error instanceof StepError) throw error;
    throw new StepError(error.code === 'ENOENT' ? `There is no file ${file}` : error.message);
  }
}
