import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StepError } from './run.mjs';
import { post, readPhoto, runningAt } from './running-app.mjs';

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
