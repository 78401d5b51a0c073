// npm run email: sends an email to the running app, as from a mail program.
import { loadEnvFile } from './lib/load-env-file.mjs';
import { requireNode } from './lib/node-version.mjs';
import { orEnd } from './lib/run.mjs';

const FORM = {
  path: '/dev/emails',
  usage: `Usage: npm run email -- --to <an account's own address for photos> --from you@home.example --subject "Rex: first snow" photo.jpg another.jpg
--text is the body; --at names the app when it is not the one of this folder, like --at "http://localhost:5001/dev/outbox?key=…"`,
  needed: {
    to: "an account's own address for photos",
    from: "the sender's address",
  },
  others: ['subject', 'text'],
  rejection:
    'accepts no test email: its inbound email is configured, it has a public URL, or DEV_OUTBOX is off.',
};

async function sendEmail(args) {
  const { sendForm } = await import('./lib/running-app.mjs');
  const { message, fields, outbox } = await sendForm(args, FORM);
  return `${message} from ${fields.from}. The reply will appear at ${outbox.href}`;
}

requireNode();
loadEnvFile();
console.log(await orEnd(sendEmail(process.argv.slice(2))));
