import type { AppContext } from '../../platform/context.ts';
import { InvalidError, UnavailableError } from '../../platform/errors.ts';
import { plainAddress } from '../inbound-email/sender/from-address.ts';
import { createLocalMailKey, inboundSecretOf } from '../inbound-email/local-dkim-key.ts';
import { providerOf } from '../inbound-email/email-providers.ts';
import { writeSignedEmail } from '../inbound-email/write-email.ts';

export const MAIL_MAX_LENGTH = 10_000;
/** One more than is taken, so that one can see what becomes of it. */
export const MAIL_MAX_PHOTOS = 41;

const TIMEOUT_MS = 30_000;

export type TestMail = {
  from: string;
  to: string;
  subject: string;
  text: string;
  photos: readonly { name: string; bytes: Buffer }[];
};

/**
 * Does what a mail server does with a mail from a mail program: signs it as its sender's domain and pushes it to us. The
 * endpoint and all behind it cannot tell the difference.
 * @throws InvalidError, UnavailableError
 */
export async function sendTestMail(
  { config, baseUrl, keyedHash }: Pick<AppContext, 'config' | 'baseUrl' | 'keyedHash'>,
  mail: TestMail,
): Promise<void> {
  const { inboundEmail } = config;
  if (inboundEmail.kind !== 'embedded') throw new UnavailableError('Test mail is not taken here.');
  const { from, to, subject, text, photos } = check(mail);
  const raw = await writeSignedEmail(
    { from, to, subject, text, photos: [...photos] },
    createLocalMailKey(keyedHash),
  );
  const { secret, recipient, sender } = providerOf(inboundEmail);
  const answer = await fetch(`${baseUrl.origin()}/api/email/incoming`, {
    method: 'POST',
    headers: {
      'Content-Type': 'message/rfc822',
      [secret]: `Bearer ${inboundSecretOf(inboundEmail.secret, keyedHash)}`,
      [recipient]: to,
      [sender]: from,
    },
    body: new Uint8Array(raw),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnavailableError('The mail could not be pushed to the app.', error);
  });
  const { message } = (await answer.json()) as { message: string };
  if (answer.status === 404) throw refuse('to', 'No account has this address for photos.');
  if (answer.status === 413) throw refuse('photos', 'This mail is larger than 40 MB.');
  if (!answer.ok) throw new UnavailableError(`The mail was not taken: ${message}`);
}

function check(mail: TestMail): TestMail {
  const [from, to] = [plainAddress(mail.from.trim()), plainAddress(mail.to.trim())];
  if (!from) throw refuse('from', 'Please enter a valid email address.');
  if (!to) throw refuse('to', 'Please enter the account’s own address for photos.');
  if (mail.subject.length + mail.text.length > MAIL_MAX_LENGTH)
    throw refuse('text', `A test mail has at most ${MAIL_MAX_LENGTH} characters.`);
  return { ...mail, from, to };
}

function refuse(field: string, message: string): InvalidError {
  return new InvalidError(message, { [field]: message });
}
