import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Mailer } from './mailer.ts';
import { writeFileOnce } from '../files/write-file-once.ts';
import { buildMessage, composeMessage } from './compose-message.ts';

/** Writes each email to `<id>.eml` in a folder instead of sending it. */
export function createDevOutboxMailer(folder: string, sender: Config['email']['sender']): Mailer {
  return {
    isEmbedded: true,
    async send(mail) {
      await writeFileOnce(join(folder, `${mail.id}.eml`), await buildMessage(composeMessage(mail, sender)));
    },
    close: () => undefined,
  };
}
