import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../../config.ts';
import type { Mailer } from '../../ports/mailer.ts';
import { composeMessage } from './compose-message.ts';

/** Into a folder, one `<id>.eml` a mail, whole or not at all, and each once: nothing leaves this machine. */
export function createOutboxMailer(folder: string, sender: Config['mail']['sender']): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    isEmbedded: true,
    async send(mail) {
      const { message } = await composer.sendMail(composeMessage(mail, sender));
      if (!Buffer.isBuffer(message)) throw new Error('The mail was not written out');
      await mkdir(folder, { recursive: true });
      await writeOnce(join(folder, `${mail.id}.eml`), message);
    },
    close: () => undefined,
  };
}

/** Under its name stands either the whole file or none; the first one stays. */
async function writeOnce(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
