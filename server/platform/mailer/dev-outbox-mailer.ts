import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/config.ts';
import type { Mailer } from './mailer.ts';
import { writeOnce } from '../write-once.ts';
import { composeMessage } from './compose-message.ts';

/** Writes each email to `<id>.eml` in a folder instead of sending it. */
export function createDevOutboxMailer(folder: string, sender: Config['email']['sender']): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    isEmbedded: true,
    async send(mail) {
      const { message } = await composer.sendMail(composeMessage(mail, sender));
      if (!Buffer.isBuffer(message)) throw new Error('The email was not composed');
      await writeOnce(join(folder, `${mail.id}.eml`), message);
    },
    close: () => undefined,
  };
}
