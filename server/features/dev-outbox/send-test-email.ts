import type { AppContext } from '../../platform/context.ts';
import { InvalidError, UnavailableError } from '../../platform/errors.ts';
import { toPlainAddress } from '../inbound-email/sender/from-address.ts';
import { createLocalDkimKey, inboundEmailSecret } from '../inbound-email/local-dkim-key.ts';
import { EMAIL_PROVIDERS } from '../inbound-email/receiving/email-providers.ts';
import { writeSignedEmail } from '../inbound-email/write-test-email.ts';

export const TEST_EMAIL_MAX_LENGTH = 10_000;
/** One more than is accepted, to show what happens to it. */
export const TEST_EMAIL_MAX_PHOTOS = 41;

const TIMEOUT_MS = 30_000;

export type TestPhoto = { name: string; bytes: Buffer };

type TestEmail = {
  from: string;
  to: string;
  subject: string;
  text: string;
  photos: readonly TestPhoto[];
};

/** As the sender's mail server does: signs the email and pushes it to the webhook. */
export async function sendTestEmail(
  { config, baseUrl, keyedHash }: Pick<AppContext, 'config' | 'baseUrl' | 'keyedHash'>,
  email: TestEmail,
): Promise<void> {
  const { inboundEmail } = config;
  if (inboundEmail.kind !== 'embedded') throw new UnavailableError('Test email is not accepted here.');
  const valid = validate(email);
  const raw = await writeSignedEmail(valid, createLocalDkimKey(keyedHash));
  const { recipient, sender } = EMAIL_PROVIDERS[inboundEmail.provider];
  const response = await fetch(`${baseUrl.origin()}/api/email/incoming`, {
    method: 'POST',
    headers: {
      'Content-Type': 'message/rfc822',
      Authorization: `Bearer ${inboundEmailSecret(inboundEmail.secret, keyedHash)}`,
      [recipient]: valid.to,
      [sender]: valid.from,
    },
    body: new Uint8Array(raw),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnavailableError('The webhook could not be reached.', error);
  });
  const { message } = (await response.json()) as { message: string };
  if (response.status === 404) throw invalid('to', 'No account has this address for photos.');
  if (response.status === 413) throw invalid('photos', 'This email is larger than 40 MB.');
  if (!response.ok) throw new UnavailableError(`The email was rejected: ${message}`);
}

function validate(email: TestEmail): TestEmail {
  const [from, to] = [toPlainAddress(email.from.trim()), toPlainAddress(email.to.trim())];
  if (!from) throw invalid('from', 'Please enter a valid email address.');
  if (!to) throw invalid('to', 'Please enter the account’s own address for photos.');
  if (email.subject.length + email.text.length > TEST_EMAIL_MAX_LENGTH)
    throw invalid('text', `A test email has at most ${TEST_EMAIL_MAX_LENGTH} characters.`);
  return { ...email, from, to };
}

function invalid(field: string, message: string): InvalidError {
  return new InvalidError(message, { [field]: message });
}
