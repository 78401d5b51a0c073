import * as z from 'zod';
import type { MessageMedia } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { MalformedError } from '../../platform/errors.ts';
import { isHandledByTwilio } from './sms-commands.ts';

export type IncomingSms = {
  /** The provider's id. */
  sid: string;
  from: string;
  body: string;
  media: MessageMedia[];
};

/** Twilio sends at most 10. */
const MAX_MEDIA = 50;

const Form = z.object({
  MessageSid: z.string().regex(/^[A-Za-z0-9]{2,64}$/),
  From: z.string().max(200),
  Body: z.string().default(''),
  NumMedia: z.coerce.number().int().min(0).catch(0),
  OptOutType: z.string().default(''),
});

/** Null for an SMS to ignore: Twilio has replied to it, or its sender has no phone number. */
export function parseSms(fields: Record<string, unknown>): IncomingSms | null {
  const form = Form.safeParse(fields);
  if (!form.success) throw new MalformedError('This is not a valid SMS webhook form.');
  const { MessageSid: sid, From: from, Body, NumMedia, OptOutType } = form.data;
  const media = Array.from({ length: Math.min(NumMedia, MAX_MEDIA) }, (_, index) =>
    mediaAt(fields, index),
  ).filter((each) => each !== null);
  const isHandled = OptOutType !== '' || (media.length === 0 && isHandledByTwilio(Body));
  if (isHandled || !/^\+[1-9]\d{6,14}$/.test(from)) return null;
  return { sid, from, body: toStorable(Body), media: sortMedia(media, Body.trim() !== '') };
}

/** Parts that phones add to a message: its layout, a contact, a sound. */
const IGNORED_MEDIA = /^\s*(application\/(?!octet-stream)|audio\/|multipart\/|text\/(?!plain))/i;
const TEXT_MEDIA = /^\s*text\/plain/i;

/** Photos first: their positions identify them. Without a body, a text beside them is their caption. */
function sortMedia(media: MessageMedia[], hasBody: boolean): MessageMedia[] {
  const photos = media.filter((each) => !isPhoneMedia(each));
  const text = media.find(isTextMedia);
  return photos.length > 0 && text && !hasBody ? [...photos, text] : photos;
}

/** Whether a phone or the sender's program added it, so that it is no photo. */
export function isPhoneMedia(media: Pick<MessageMedia, 'contentType'>): boolean {
  return IGNORED_MEDIA.test(media.contentType) || isTextMedia(media);
}

export function isTextMedia({ contentType }: Pick<MessageMedia, 'contentType'>): boolean {
  return TEXT_MEDIA.test(contentType);
}

function mediaAt(fields: Record<string, unknown>, index: number): MessageMedia | null {
  const url = fields[`MediaUrl${index}`];
  const contentType = fields[`MediaContentType${index}`];
  if (typeof url !== 'string' || !url) return null;
  return {
    url: toStorable(url),
    contentType: typeof contentType === 'string' ? toStorable(contentType) : '',
  };
}

/** Postgres accepts neither NUL nor lone surrogates. Drop them rather than the photos. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
