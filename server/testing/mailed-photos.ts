import type { User } from '#shared/user';
import { createLocalMailKey, inboundSecretOf } from '../ingest/mail/local-mail-key.ts';
import { signEmail, writeSignedEmail, type WrittenEmail } from '../ingest/mail/write-email.ts';
import type { TestClient, TestResponse } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** The account's own address for photos. */
export async function inboundEmailOf(client: TestClient): Promise<string> {
  const { inboundEmail } = (await client.get('/api/user')).body as User;
  if (!inboundEmail) throw new Error('This account has no address for photos');
  return inboundEmail;
}

/** A mail that its sender's domain has signed, as far as this server knows. */
export function signedEmail(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  mail: Partial<WrittenEmail> & Pick<WrittenEmail, 'from' | 'to'>,
): Promise<Buffer> {
  const rest = { subject: '', text: '', photos: [] };
  return writeSignedEmail({ ...rest, ...mail }, createLocalMailKey(keyedHash));
}

/** The same for a message that is written already. */
export function signedMessage(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  message: Buffer,
  domain: string,
): Promise<Buffer> {
  return signEmail(message, domain, createLocalMailKey(keyedHash));
}

/** As a mail server pushes it. */
export function pushEmail(
  { context: { keyedHash }, visitor }: Pick<TestServer, 'context' | 'visitor'>,
  to: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return visitor().request('POST', '/api/email/incoming', {
    body,
    headers: {
      'Content-Type': 'message/rfc822',
      Authorization: `Bearer ${inboundSecretOf(null, keyedHash)}`,
      'X-Original-To': to,
      ...headers,
    },
  });
}
