import * as z from 'zod';
import type { MessageMedia } from '../../platform/db/schema/inbound-sms.ts';
import { MalformedError } from '../../platform/errors.ts';

/** A text that came in, as far as it concerns us. */
export type IncomingMms = {
  /** The provider's id of it. */
  sid: string;
  from: string;
  words: string;
  media: MessageMedia[];
};

/** More than any text has: whatever lies beyond was written by no phone. */
const MOST_MEDIA = 50;

const Form = z.object({
  MessageSid: z.string().regex(/^[A-Za-z0-9]{2,64}$/),
  From: z.string().max(200),
  Body: z.string().default(''),
  NumMedia: z.coerce.number().int().min(0).catch(0),
  OptOutType: z.string().default(''),
});

/** Words that Twilio answers by itself: whoever leaves, comes back or asks for help hears nothing from us. */
const ANSWERED_ELSEWHERE = new Set([
  ...['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'],
  ...['start', 'yes', 'unstop'],
  ...['help', 'info'],
]);

/**
 * A webhook's form, as Twilio documents it. Null for what is not for us: a word that Twilio answers, or a sender that
 * has no phone number.
 * @throws MalformedError
 */
export function parseMms(fields: Record<string, unknown>): IncomingMms | null {
  const form = Form.safeParse(fields);
  if (!form.success) throw new MalformedError('This is no message that we understand.');
  const { MessageSid: sid, From: from, Body, NumMedia, OptOutType } = form.data;
  const media = Array.from({ length: Math.min(NumMedia, MOST_MEDIA) }, (_, index) =>
    mediaAt(fields, index),
  ).filter((each) => each !== null);
  const isAnswered = OptOutType !== '' || (media.length === 0 && ANSWERED_ELSEWHERE.has(lettersOf(Body)));
  if (isAnswered || !/^\+[1-9]\d{6,14}$/.test(from)) return null;
  return { sid, from, words: storable(Body), media };
}

/** Whether it says UNDO, however it is written. */
export function saysUndo(words: string): boolean {
  return lettersOf(words) === 'undo';
}

function mediaAt(fields: Record<string, unknown>, index: number): MessageMedia | null {
  const url = fields[`MediaUrl${index}`];
  const contentType = fields[`MediaContentType${index}`];
  if (typeof url !== 'string' || !url) return null;
  return { url: storable(url), contentType: typeof contentType === 'string' ? storable(contentType) : '' };
}

function lettersOf(words: string): string {
  return words
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Postgres keeps no NUL and no half of a surrogate pair; the photos are worth more than those. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
