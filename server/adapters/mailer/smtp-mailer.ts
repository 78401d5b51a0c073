import { createTransport } from 'nodemailer';
import type { Config } from '../../config.ts';
import { MailDelayedError, MailRefusedError, type Mailer } from '../../ports/mailer.ts';
import { composeMessage } from './compose-message.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 60_000;

type SmtpConfig = Extract<Config['mail']['transport'], { kind: 'smtp' }>;

/** Through an SMTP server, over a few connections that stay open. */
export function createSmtpMailer(config: SmtpConfig, sender: Config['mail']['sender']): Mailer {
  const transport = createTransport({
    url: config.url,
    pool: true,
    // Whoever sends decides when it is tried again.
    maxRequeues: 0,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...(config.dkim && { dkim: config.dkim }),
  });
  return {
    isEmbedded: false,
    async send(mail) {
      try {
        await transport.sendMail({
          ...composeMessage(mail, sender),
          envelope: { from: sender.envelopeAddress, to: mail.to.address },
        });
      } catch (error) {
        throw isFinal(error)
          ? new MailRefusedError('The mail server refused it', { cause: error })
          : new MailDelayedError('The mail server did not take it', { cause: error });
      }
    },
    close: () => transport.close(),
  };
}

/** What the server says about this mail for good. A refused sign-in or sender is ours to mend: the mail waits. */
function isFinal(error: unknown): boolean {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  if (code === 'EAUTH' || command === 'MAIL FROM') return false;
  return responseCode !== undefined && responseCode >= 500;
}
