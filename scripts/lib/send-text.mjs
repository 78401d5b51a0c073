import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './root.mjs';
import { StepError } from './run.mjs';

const USAGE = `Like this: npm run text -- --from +12065550123 --text "Rex: first snow" photo.jpg another.jpg
--at names the app when it is not the one of this folder, like --at http://localhost:5001`;

/** @returns what became of it, in words. @throws StepError */
export async function sendText(args) {
  const { from, text, at, files } = parse(args);
  const form = new FormData();
  form.set('from', from);
  form.set('text', text);
  for (const file of files) form.append('photos', readPhoto(file), basename(file));
  const address = at ?? runningAt();
  const answer = await post(new URL('/dev/texts', address), form);
  if (answer.status === 404)
    throw new StepError(
      `The app at ${address} takes no test texts: Twilio is set up there, or it is offered to others than you.`,
    );
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new StepError(body.message ?? `The app answered ${answer.status}.`);
  const photos = files.length === 1 ? '1 photo' : `${files.length} photos`;
  const attached = files.length > 0 ? ` with ${photos}` : '';
  return `Sent${attached} from ${body.from}. The answer comes to ${new URL(`/dev/outbox?sent=${body.id}`, address).href}`;
}

function parse(args) {
  const string = { type: 'string' };
  let parsed;
  try {
    parsed = parseArgs({ args, options: { from: string, text: string, at: string }, allowPositionals: true });
  } catch (error) {
    throw new StepError(`${error.message}\n${USAGE}`);
  }
  const { from, text = '', at } = parsed.values;
  if (!from) throw new StepError(`--from is missing: the phone number that the text comes from.\n${USAGE}`);
  if (at !== undefined && !/^https?:\/\/./.test(at))
    throw new StepError(`--at ${at} is no address.\n${USAGE}`);
  // npm works in the project's folder; the files are named from where it was called.
  const here = process.env.INIT_CWD ?? process.cwd();
  return { from, text, at, files: parsed.positionals.map((file) => resolve(here, file)) };
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

/** Where the app says that it is, in the lock of its data folder. */
function runningAt() {
  const { DATA_DIR = './data', PORT = '5000' } = process.env;
  try {
    const { address } = JSON.parse(readFileSync(join(resolve(root, DATA_DIR), 'lock'), 'utf8'));
    if (address) return address;
  } catch {
    // None runs over this folder, or it keeps its data elsewhere.
  }
  return `http://localhost:${PORT}`;
}

async function post(url, body) {
  try {
    return await fetch(url, { method: 'POST', headers: { Accept: 'application/json' }, body });
  } catch {
    throw new StepError(`No app answers at ${url.origin}. Start it with npm start, or name it with --at.`);
  }
}
