import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../../config.ts';
import { MailDelayedError, RecipientRefusedError, type Mailer } from '../../ports/mailer.ts';
import { composeMessage } from './compose-message.ts';
import { isUndeliverable, type SmtpError } from './smtp-refusal.ts';

const CONNECTION_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 60_000;

type SmtpConfig = Extract<Config['mail']['transport'], { kind: 'smtp' }>;

/** Through an SMTP server, over a few connections that stay open. */
export function createSmtpMailer(config: SmtpConfig, sender: Config['mail']['sender']): Mailer {
  const transport = createTransport({
    url: config.url,
    pool: true,
    // Retries are up to the caller: the server may have said 421 on the connection that it closed.
    maxRequeues: 0,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...(config.dkim && { dkim: config.dkim }),
  });
  return {
    isEmbedded: false,
    async send(mail) {
      const message: SendMailOptions = {
        ...composeMessage(mail, sender),
        envelope: { from: sender.envelopeAddress, to: mail.to.address },
      };
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw toMailError(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

function toMailError(error: SmtpError): RecipientRefusedError | MailDelayedError {
  if (isUndeliverable(error)) {
    return new RecipientRefusedError('The mail server refused the recipient', { cause: error });
  }
  const { responseCode = 0, code } = error;
  // ECONNECTION: the server closed a connection that was open, perhaps with a 421 on an idle one.
  const isTemporary = (responseCode >= 400 && responseCode < 500) || (!responseCode && code === 'ECONNECTION');
  return new MailDelayedError('The mail server did not take it', { cause: error, isTemporary });
}
