import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { openDevOutbox } from './dev-outbox.ts';

/** As stored and as shown. */
export function randomPhoneNumber() {
  const line = String(randomInt(100_000)).padStart(5, '0');
  return { e164: `+120655${line}`, shown: `+1 206 55${line.slice(0, 1)} ${line.slice(1)}` };
}

/** The code of the newest SMS to this number. */
export async function readCode(page: Page, e164: string): Promise<string> {
  const outbox = await page.context().newPage();
  await openDevOutbox(outbox);
  const text = await outbox.getByRole('listitem').filter({ hasText: e164 }).first().textContent();
  await outbox.close();
  return /^\d{6}/.exec(text ?? '')?.[0] ?? '';
}

/** Verifies a number by API. */
export async function verifyPhoneNumber(page: Page, e164: string): Promise<void> {
  const data = { phoneNumber: e164 };
  expect((await page.request.post('/api/sms/send-verification', { data })).status()).toBe(200);
  const code = await readCode(page, e164);
  expect((await page.request.post('/api/sms/verify', { data: { ...data, code } })).status()).toBe(200);
}
