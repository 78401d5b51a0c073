import type { SmsInbox, ReceivedSms } from './sms-inbox.ts';
import { callTwilio, createTwilioClient, type TwilioConfig } from './twilio-client.ts';

/** A page has to fit into the limit of a response. */
const PAGE_SIZE = 20;

/** @param phoneNumber the product's; null when only a messaging service knows it */
export function createTwilioInbox(config: TwilioConfig, phoneNumber: string | null): SmsInbox {
  const client = createTwilioClient(config);
  return {
    listWithMedia: (receivedAfter) =>
      callTwilio(async () => {
        const messages = await client.messages.list({
          ...(phoneNumber && { to: phoneNumber }),
          dateSentAfter: receivedAfter,
          pageSize: PAGE_SIZE,
        });
        const received: ReceivedSms[] = [];
        for (const { sid, from, body, direction, numMedia, dateSent, dateCreated } of messages) {
          if (direction !== 'inbound' || Number(numMedia) === 0) continue;
          const media = await client.messages(sid).media.list({ pageSize: PAGE_SIZE });
          const fields: ReceivedSms['fields'] = { MessageSid: sid, From: from, Body: body };
          for (const [index, { uri, contentType }] of media.entries()) {
            fields[`MediaUrl${index}`] = config.apiUrl + uri.replace(/\.json$/, '');
            fields[`MediaContentType${index}`] = contentType;
          }
          fields['NumMedia'] = String(media.length);
          received.push({ receivedAt: dateSent ?? dateCreated, fields });
        }
        // Twilio lists the newest first.
        return received.reverse();
      }),
  };
}
