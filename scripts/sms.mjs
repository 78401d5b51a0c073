// npm run sms: sends an SMS to the running app, as from a phone.
import { loadEnvFile } from './lib/load-env-file.mjs';
import { requireNode } from './lib/node-version.mjs';
import { orEnd } from './lib/run.mjs';

const FORM = {
  path: '/dev/sms',
  usage: `Usage: npm run sms -- --from +12065550123 --text "Rex: first snow" photo.jpg another.jpg
--at names the app when it is not the one of this folder, like --at "http://localhost:5001/dev/outbox?key=…"`,
  needed: { from: "the sender's phone number" },
  others: ['text'],
  rejection: 'accepts no test texts: Twilio is configured, it has a public URL, or DEV_OUTBOX is off.',
};

async function sendSms(args) {
  const { sendForm } = await import('./lib/running-app.mjs');
  const { message, body, outbox } = await sendForm(args, FORM);
  outbox.searchParams.set('sent', body.id);
  return `${message} from ${body.from}. The reply will appear at ${outbox.href}`;
}

requireNode();
loadEnvFile();
console.log(await orEnd(sendSms(process.argv.slice(2))));
