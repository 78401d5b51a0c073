import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type APIResponse, type Page } from '@playwright/test';
import { createLocalDkimKey, inboundEmailSecret } from '../server/features/inbound-email/local-dkim-key.ts';
import { writeSignedEmail } from '../server/features/inbound-email/write-email.ts';
import { createKeyedHash } from '../server/platform/keyed-hash.ts';
import { smallPhoto } from './photos.ts';

/** The account's own address for photos. */
export async function inboundEmailOf(page: Page): Promise<string> {
  const user = (await (await page.request.get('/api/user')).json()) as { inboundEmail: string };
  return user.inboundEmail;
}

interface MailedPhoto {
  from: string;
  to: string;
  subject: string;
}

/** A mail with a photo, as the sender's mail server would sign it and ours would push it. */
export async function mailIn(page: Page, mail: MailedPhoto): Promise<void> {
  expect((await push(page, mail, await secretOfServer())).status()).toBe(202);
}

/** The same from somebody who only pretends to be the sender. */
export async function mailForged(page: Page, mail: MailedPhoto): Promise<void> {
  expect((await push(page, mail, 'the secret of a forger')).status()).toBe(202);
}

/** An address that nobody has any more takes nothing. */
export async function expectDead(page: Page, mail: MailedPhoto): Promise<void> {
  expect((await push(page, mail, await secretOfServer())).status()).toBe(404);
}

let widthOfLast = 640;

async function push(page: Page, mail: MailedPhoto, signingSecret: string): Promise<APIResponse> {
  // Each another: the same photo is taken once.
  const { buffer } = await smallPhoto(++widthOfLast);
  const message = await writeSignedEmail(
    { ...mail, text: '', photos: [{ name: `${randomUUID()}.jpg`, bytes: buffer }] },
    createLocalDkimKey(createKeyedHash(signingSecret)),
  );
  return page.request.post('/api/email/incoming', {
    data: message,
    headers: {
      'Content-Type': 'message/rfc822',
      Authorization: `Bearer ${inboundEmailSecret(null, createKeyedHash(await secretOfServer()))}`,
      'X-Original-To': mail.to,
    },
  });
}

async function secretOfServer(): Promise<string> {
  return (await readFile(join(process.env['E2E_DATA_DIR'] ?? '', 'secrets', 'session'), 'utf8')).trim();
}
