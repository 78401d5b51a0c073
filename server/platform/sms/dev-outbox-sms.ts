import { join } from 'node:path';
import type { SmsSender } from './sms-sender.ts';
import { writeOnce } from '../write-once.ts';

/** Into a folder, one `<id>.sms.json` a text, whole or not at all, and each once: nothing leaves this machine. */
export function createDevOutboxSms(folder: string, from: string): SmsSender {
  return {
    isEmbedded: true,
    send: ({ id, to, text }) =>
      writeOnce(join(folder, `${id}.sms.json`), `${JSON.stringify({ from, to, text }, null, 2)}\n`),
  };
}
