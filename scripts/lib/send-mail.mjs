import { sendForm } from './running-app.mjs';

const FORM = {
  path: '/dev/mails',
  usage: `Like this: npm run mail -- --to <an account's own address for photos> --from you@home.example --subject "Rex: first snow" photo.jpg another.jpg
--text is what stands below; --at names the app when it is not the one of this folder, like --at http://localhost:5001`,
  needed: {
    to: "an account's own address for photos",
    from: 'the address that the mail comes from',
  },
  others: ['subject', 'text'],
  refusal: 'takes no test mail: its mail is set up, or it is offered to others than you.',
};

/** @returns what became of it, in words. @throws StepError */
export async function sendMail(args) {
  const { message, fields, address } = await sendForm(args, FORM);
  return `${message} from ${fields.from}. The answer comes to ${new URL('/dev/outbox', address).href}`;
}
