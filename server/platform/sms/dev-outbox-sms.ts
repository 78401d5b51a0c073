import { join } from 'node:path';
import type { SmsSender } from './sms-sender.ts';
import { writeFileOnce } from '../files/write-file-once.ts';

/** Writes each SMS to `<id>.sms.json` in a folder instead of sending it. */
export function createDevOutboxSms(folder: string, from: string): SmsSender {
  return {
    isEmbedded: true,
    send: ({ id, to, text }) =>
      writeFileOnce(join(folder, `${id}.sms.json`), `${JSON.stringify({ from, to, text }, null, 2)}\n`),
  };
}
