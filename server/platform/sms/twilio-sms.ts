import type { SmsSender } from './sms-sender.ts';
import { callTwilio, createTwilioClient, type TwilioConfig } from './twilio-client.ts';

export function createTwilioSms(
  config: TwilioConfig,
  from: string | null,
  { timeoutMs }: { timeoutMs?: number } = {},
): SmsSender {
  const client = createTwilioClient(config, timeoutMs);
  const sender = config.messagingServiceSid
    ? { messagingServiceSid: config.messagingServiceSid }
    : { from: from ?? '' };
  return {
    isEmbedded: false,
    async send({ to, text }) {
      await callTwilio(() => client.messages.create({ ...sender, to, body: text }));
    },
  };
}
