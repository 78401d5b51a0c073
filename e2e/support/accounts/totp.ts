import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { now } from '../clock.ts';

const STEP_MS = 30_000;

/** What an authenticator app with this key shows now, or will show some steps later. */
export function totpCode(key: string, steps = 0): string {
  const secret = Secret.fromBase32(key.replaceAll(' ', ''));
  return new TOTP({ secret }).generate({ timestamp: now().getTime() + steps * STEP_MS });
}

/** By API. The code of the current step is used then. */
export async function turnTotpOn(page: Page): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await (await page.request.post('/api/user/totp')).json()) as { secret: string };
  const response = await page.request.post('/api/user/totp/confirm', { data: { code: totpCode(secret) } });
  expect(response.status()).toBe(200);
  return { secret, ...((await response.json()) as { codes: string[] }) };
}
