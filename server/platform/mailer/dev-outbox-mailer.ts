import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Mailer } from './mailer.ts';
import { writeOnce } from '../write-once.ts';
import { buildMessage, composeMessage } from './compose-message.ts';

/** Into a folder, one `<id>.eml` a mail, whole or not at all, and each once: nothing leaves this machine. */
export function createOutboxMailer(folder: string, sender: Config['mail']['sender']): Mailer {
  return {
    isEmbedded: true,
    async send(mail) {
      await writeOnce(join(folder, `${mail.id}.eml`), await buildMessage(composeMessage(mail, sender)));
    },
    close: () => undefined,
  };
}
