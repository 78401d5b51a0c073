import { expect, type Page } from '@playwright/test';
import { openDevOutbox } from '../apps/dev-outbox.ts';

/** Each worker has its own app. */
let lastLine = 0;

/** As stored and as shown. */
export function newPhoneNumber() {
  const line = String(++lastLine).padStart(5, '0');
  return { e164: `+120655${line}`, shown: `+1 206 55${line.slice(0, 1)} ${line.slice(1)}` };
}

/** The code of the newest SMS to this number. */
export async function readCode(page: Page, e164: string): Promise<string> {
  const outbox = await page.context().newPage();
  const newest = outbox
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`to \\${e164},`) })
    .first();
  await expect(async () => {
    await openDevOutbox(outbox);
    await expect(newest).toHaveText(/^\d{6}/, { timeout: 500 });
  }).toPass();
  const text = await newest.textContent();
  await outbox.close();
  return text?.slice(0, 6) ?? '';
}

/** Verifies a number by API. */
export async function verifyPhoneNumber(page: Page, e164: string): Promise<void> {
  const data = { phoneNumber: e164 };
  expect((await page.request.post('/api/sms/send-verification', { data })).status()).toBe(200);
  const code = await readCode(page, e164);
  expect((await page.request.post('/api/sms/verify', { data: { ...data, code } })).status()).toBe(200);
}
