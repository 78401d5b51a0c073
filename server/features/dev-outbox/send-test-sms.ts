import { randomBytes } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { toE164 } from '#shared/text/phone';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError, UnavailableError } from '../../platform/errors.ts';
import { saveMedia, saveReceivedSms } from './dev-outbox-files.ts';

/** Twilio's limits. */
export const TEST_SMS_MAX_LENGTH = 1600;
export const TEST_SMS_MAX_PHOTOS = 10;

const TIMEOUT_MS = 15_000;

/** As Twilio does: stores the media for the account only, and posts the signed form to the webhook. */
export async function sendTestSms(
  { config, baseUrl, smsSignature }: Pick<AppContext, 'config' | 'baseUrl' | 'smsSignature'>,
  { accountSid, folder }: { accountSid: string; folder: string },
  sms: { from: string; text: string; photos: readonly Buffer[] },
): Promise<{ id: string; from: string }> {
  const { from, text, photos } = validate(sms);
  const id = newSid('MM');
  const origin = baseUrl.origin();
  const media = await Promise.all(
    photos.map(async (bytes, index) => {
      const mediaId = newSid('ME');
      await saveMedia(folder, mediaId, bytes);
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
  await saveReceivedSms(folder, id, { from, text, photoCount: photos.length });
  const url = `${origin}/api/sms/incoming`;
  await post(url, params, smsSignature.sign({ url, params }));
  return { id, from };
}

export async function mediaTypeOf(bytes: Buffer): Promise<string> {
  // Large, and needed only for the dev outbox.
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream';
}

function validate({ from, text, photos }: { from: string; text: string; photos: readonly Buffer[] }) {
  const number = parsePhoneNumberFromString(toE164(from));
  if (!number?.isValid()) throw invalid('from', 'This is not a phone number. Please check its digits.');
  // Browsers submit CRLF, phones send LF.
  const body = text.replaceAll('\r\n', '\n').trim();
  if (!body && photos.length === 0) throw invalid('text', 'Please write something, or choose a photo.');
  if (body.length > TEST_SMS_MAX_LENGTH)
    throw invalid('text', `A text has at most ${TEST_SMS_MAX_LENGTH} characters.`);
  return { from: number.number, text: body, photos };
}

function invalid(field: string, message: string): InvalidError {
  return new InvalidError(message, { [field]: message });
}

async function post(url: string, params: Record<string, string>, signature: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'X-Twilio-Signature': signature },
    body: new URLSearchParams(params),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnavailableError('The webhook could not be reached.', error);
  });
  await response.arrayBuffer();
  if (!response.ok)
    throw new UnavailableError(`The webhook rejected the text with status ${response.status}.`);
}

function newSid(kind: 'MM' | 'ME'): string {
  return kind + randomBytes(16).toString('hex');
}
