import type { Config } from '../../platform/config/config.ts';

/** By what names the headers go in which whoever pushes mail to us says what is not in the mail itself. */
export type MailProvider = {
  /** Our shared secret; as a bearer token when it is `Authorization`. */
  secret: string;
  /** Whom the envelope names: one address, or several with commas. */
  recipient: string;
  /** Who the envelope says it is from. */
  sender: string;
};

const PROVIDERS: Record<Extract<Config['inboundEmail'], { domain: string }>['provider'], MailProvider> = {
  /** A pipe, or any other program that runs curl. */
  postfix: {
    secret: 'Authorization',
    recipient: 'X-Original-To',
    sender: 'X-Envelope-From',
  },
  /** An Email Worker. */
  cloudflare: {
    secret: 'Authorization',
    recipient: 'X-Envelope-To',
    sender: 'X-Envelope-From',
  },
  /** Amazon SES: a Lambda function that reads the mail from its bucket. */
  ses: {
    secret: 'Authorization',
    recipient: 'X-SES-Recipients',
    sender: 'X-SES-Source',
  },
};

export function providerOf({ provider }: { provider: keyof typeof PROVIDERS }): MailProvider {
  return PROVIDERS[provider];
}
