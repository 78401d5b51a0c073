import type { Config } from '../../../platform/config/config.ts';

/** Names of the headers in which a provider that pushes email passes the envelope. */
type EmailProvider = {
  /** The envelope's recipients: one address, or several with commas. */
  recipient: string;
  sender: string;
};

export const EMAIL_PROVIDERS: Record<
  Extract<Config['inboundEmail'], { domain: string }>['provider'],
  EmailProvider
> = {
  /** A Postfix pipe, or any other program that runs curl. */
  postfix: { recipient: 'X-Original-To', sender: 'X-Envelope-From' },
  cloudflare: { recipient: 'X-Envelope-To', sender: 'X-Envelope-From' },
  /** Amazon SES, through a Lambda function that reads the email from its bucket. */
  ses: { recipient: 'X-SES-Recipients', sender: 'X-SES-Source' },
};
