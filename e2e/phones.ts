import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

/** One that hardly another test has, as it is kept and as the screen shows it. */
export function someNumber() {
  const line = String(randomInt(100_000)).padStart(5, '0');
  return { e164: `+120655${line}`, shown: `+1 206 55${line.slice(0, 1)} ${line.slice(1)}` };
}

/** The code of the newest text to this number. */
export async function readCode(page: Page, e164: string): Promise<string> {
  const outbox = await page.context().newPage();
  await outbox.goto('/dev/outbox');
  const text = await outbox.getByRole('listitem').filter({ hasText: e164 }).first().textContent();
  await outbox.close();
  return /^\d{6}/.exec(text ?? '')?.[0] ?? '';
}

/** A number proved without the screens, for tests of something else. */
export async function verifyPhoneQuickly(page: Page, e164: string): Promise<void> {
  const data = { phoneNumber: e164 };
  expect((await page.request.post('/api/sms/send-verification', { data })).status()).toBe(200);
  const code = await readCode(page, e164);
  expect((await page.request.post('/api/sms/verify', { data: { ...data, code } })).status()).toBe(200);
}
