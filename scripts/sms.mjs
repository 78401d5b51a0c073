// npm run sms: sends an SMS to the running app, as from a phone.
import { loadEnvFile } from './lib/load-env-file.mjs';
import { requireNode } from './lib/node-version.mjs';
import { orEnd } from './lib/run.mjs';

const FORM = {
  path: '/dev/texts',
  usage: `Usage: npm run sms -- --from +12065550123 --text "Rex: first snow" photo.jpg another.jpg
--at names the app when it is not the one of this folder, like --at http://localhost:5001`,
  needed: { from: "the sender's phone number" },
  others: ['text'],
  refusal: 'accepts no test texts: Twilio is configured, or it has a public URL.',
};

async function sendSms(args) {
  const { sendForm } = await import('./lib/running-app.mjs');
  const { message, answer, address } = await sendForm(args, FORM);
  const page = new URL(`/dev/outbox?sent=${answer.id}`, address).href;
  return `${message} from ${answer.from}. The reply will appear at ${page}`;
}

requireNode();
loadEnvFile();
console.log(await orEnd(sendSms(process.argv.slice(2))));
