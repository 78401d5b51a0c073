import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type APIResponse, type Page } from '@playwright/test';
import {
  createLocalDkimKey,
  inboundEmailSecret,
} from '../../../server/features/inbound-email/local-dkim-key.ts';
import { writeSignedEmail } from '../../../server/features/inbound-email/write-test-email.ts';
import { createKeyedHash } from '../../../server/platform/security/keyed-hash.ts';
import { smallPhoto } from '../screens/photos.ts';

/** The user's own address for photos. */
export async function getInboundEmail(page: Page): Promise<string> {
  const user = (await (await page.request.get('/api/user')).json()) as { inboundEmail: string };
  return user.inboundEmail;
}

interface EmailWithPhoto {
  from: string;
  to: string;
  subject: string;
}

/** Sends an email with a photo, signed with DKIM, to the webhook. */
export async function sendEmail(page: Page, mail: EmailWithPhoto): Promise<void> {
  expect((await push(page, mail, await secretOfServer())).status()).toBe(202);
}

/** With an invalid DKIM signature. */
export async function sendForgedEmail(page: Page, mail: EmailWithPhoto): Promise<void> {
  expect((await push(page, mail, 'the secret of a forger')).status()).toBe(202);
}

/** The server rejects an address that was reset. */
export async function expectUnknownRecipient(page: Page, mail: EmailWithPhoto): Promise<void> {
  expect((await push(page, mail, await secretOfServer())).status()).toBe(404);
}

let widthOfLast = 640;

async function push(page: Page, mail: EmailWithPhoto, signingSecret: string): Promise<APIResponse> {
  // A new photo each time: duplicates are ignored.
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
