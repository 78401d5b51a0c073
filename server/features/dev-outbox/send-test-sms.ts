import { randomBytes } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { toE164 } from '#shared/phone';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError, UnavailableError } from '../../platform/errors.ts';
import { keepMedia, keepReceived } from './dev-outbox-files.ts';

/** What Twilio brings at most: of words, and of photos. */
export const TEXT_MAX_LENGTH = 1600;
export const TEXT_MAX_PHOTOS = 10;

const TIMEOUT_MS = 15_000;

type SmsAccount = NonNullable<AppContext['devSmsAccount']>;

/**
 * Does what Twilio does with a text from a phone: keeps what is attached to it where only the account may fetch it, and
 * brings the message to the webhook, signed. The webhook and all behind it cannot tell the difference.
 * @returns the message's id and the number that it is from
 * @throws InvalidError, UnavailableError
 */
export async function sendTestText(
  { config, baseUrl, smsSignature }: Pick<AppContext, 'config' | 'baseUrl' | 'smsSignature'>,
  { accountSid, folder }: Pick<SmsAccount, 'accountSid'> & { folder: string },
  sent: { from: string; text: string; photos: readonly Buffer[] },
): Promise<{ id: string; from: string }> {
  const { from, text, photos } = check(sent);
  const id = newSid('MM');
  const origin = baseUrl.origin();
  const media = await Promise.all(
    photos.map(async (bytes, index) => {
      const mediaId = newSid('ME');
      await keepMedia(folder, mediaId, bytes);
      return {
        [`MediaUrl${index}`]: `${origin}/dev/media/${mediaId}`,
        [`MediaContentType${index}`]: await mediaTypeOf(bytes),
      };
    }),
  );
  const params = {
    ...Object.fromEntries(['MessageSid', 'SmsSid', 'SmsMessageSid'].map((name) => [name, id])),
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    SmsStatus: 'received',
    From: from,
    To: config.sms.phoneNumber ?? '',
    Body: text,
    NumSegments: '1',
    NumMedia: String(photos.length),
    ...Object.assign({}, ...media),
  } as Record<string, string>;
  await keepReceived(folder, id, { from, text, photoCount: photos.length });
  const url = `${origin}/api/sms/incoming`;
  await bring(url, params, smsSignature.sign({ url, params }));
  return { id, from };
}

/** What the bytes are, since nobody says so. */
export async function mediaTypeOf(bytes: Buffer): Promise<string> {
  return (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream';
}

function check({ from, text, photos }: { from: string; text: string; photos: readonly Buffer[] }) {
  const number = parsePhoneNumberFromString(toE164(from));
  if (!number?.isValid()) throw refuse('from', 'This is not a phone number. Please check its digits.');
  // A form's lines end as no phone ends them.
  const words = text.replaceAll('\r\n', '\n').trim();
  if (!words && photos.length === 0) throw refuse('text', 'Please write something, or choose a photo.');
  if (words.length > TEXT_MAX_LENGTH)
    throw refuse('text', `A text has at most ${TEXT_MAX_LENGTH} characters.`);
  return { from: number.number, text: words, photos };
}

function refuse(field: string, message: string): InvalidError {
  return new InvalidError(message, { [field]: message });
}

async function bring(url: string, params: Record<string, string>, signature: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature },
    body: new URLSearchParams(params),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnavailableError('The text could not be brought to the webhook.', error);
  });
  await answer.arrayBuffer();
  if (!answer.ok)
    throw new UnavailableError(`The webhook did not take the text: it answered ${answer.status}.`);
}

/** An id as Twilio gives them. */
function newSid(kind: 'MM' | 'ME'): string {
  return kind + randomBytes(16).toString('hex');
}
