import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StepError } from './run.mjs';
import { post, readPhoto, runningAt } from './running-app.mjs';

const USAGE = `Like this: npm run mail -- --to <an account's own address for photos> --from you@home.example --subject "Rex: first snow" photo.jpg another.jpg
--text is what stands below; --at names the app when it is not the one of this folder, like --at http://localhost:5001`;

/** @returns what became of it, in words. @throws StepError */
export async function sendMail(args) {
  const { to, from, subject, text, at, files } = parse(args);
  const form = new FormData();
  for (const [name, value] of Object.entries({ to, from, subject, text })) form.set(name, value);
  for (const file of files) form.append('photos', readPhoto(file), basename(file));
  const address = at ?? runningAt();
  const answer = await post(new URL('/dev/mails', address), form);
  if (answer.status === 404)
    throw new StepError(
      `The app at ${address} takes no test mail: its mail is set up, or it is offered to others than you.`,
    );
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new StepError(body.message ?? `The app answered ${answer.status}.`);
  const photos = files.length === 1 ? '1 photo' : `${files.length} photos`;
  return `Sent with ${photos} from ${from}. The answer comes to ${new URL('/dev/outbox', address).href}`;
}

function parse(args) {
  const string = { type: 'string' };
  let parsed;
  try {
    const options = { to: string, from: string, subject: string, text: string, at: string };
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new StepError(`${error.message}\n${USAGE}`);
  }
  const { to, from, subject = '', text = '', at } = parsed.values;
  for (const [name, value] of Object.entries({ to, from }))
    if (!value) throw new StepError(`--${name} is missing.\n${USAGE}`);
  if (at !== undefined && !/^https?:\/\/./.test(at))
    throw new StepError(`--at ${at} is no address.\n${USAGE}`);
  // npm works in the project's folder; the files are named from where it was called.
  const here = process.env.INIT_CWD ?? process.cwd();
  return { to, from, subject, text, at, files: parsed.positionals.map((file) => resolve(here, file)) };
}
