import { Secret, TOTP } from 'otpauth';
import type { RecoveryCodes, TotpSetup } from '#shared/accounts/second-factor';
import type { TestClient } from './test-client.ts';

/** What an authenticator app with this key shows at a time. */
export function totpCode(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** Sets up an authenticator app. The code of this time is used then. */
export async function turnTotpOn(client: TestClient, at: Date): Promise<{ secret: string; codes: string[] }> {
  const setup = await client.post('/api/user/totp');
  if (setup.status !== 201) throw new Error(`The setup was rejected: ${setup.status} ${setup.text}`);
  const { secret } = setup.body as TotpSetup;
  const confirmed = await client.post('/api/user/totp/confirm', { code: totpCode(secret, at) });
  if (confirmed.status !== 200)
    throw new Error(`The code was rejected: ${confirmed.status} ${confirmed.text}`);
  return { secret, codes: (confirmed.body as RecoveryCodes).codes };
}
