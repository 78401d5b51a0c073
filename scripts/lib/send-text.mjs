import { sendForm } from './running-app.mjs';

const FORM = {
  path: '/dev/texts',
  usage: `Like this: npm run text -- --from +12065550123 --text "Rex: first snow" photo.jpg another.jpg
--at names the app when it is not the one of this folder, like --at http://localhost:5001`,
  needed: { from: 'the phone number that the text comes from' },
  others: ['text'],
  refusal: 'takes no test texts: Twilio is set up there, or it is offered to others than you.',
};

/** @returns what became of it, in words. @throws StepError */
export async function sendText(args) {
  const { message, answer, address } = await sendForm(args, FORM);
  const page = new URL(`/dev/outbox?sent=${answer.id}`, address).href;
  return `${message} from ${answer.from}. The answer comes to ${page}`;
}
