import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config.ts';
import { EmailDelayedError, RecipientRefusedError, type Mailer } from './mailer.ts';
import { composeMessage } from './compose-message.ts';
import { isUndeliverable, type SmtpError } from './smtp-refusal.ts';

const MINUTE_MS = 60_000;
/** RFC 5321, 4.5.3.2: how long a server may take for the greeting, and for its longest answer, to the final dot. */
const GREETING_TIMEOUT_MS = 5 * MINUTE_MS;
const ANSWER_TIMEOUT_MS = 10.5 * MINUTE_MS;
/** From looking up its name to the greeting, and to the end of STARTTLS. */
const CONNECTION_TIMEOUT_MS = 6 * MINUTE_MS;
/** For a whole mail: a server that goes on answering a little holds a connection no longer. */
const MAIL_TIMEOUT_MS = 30 * MINUTE_MS;
/** More than are sent at once, of all kinds of mail: none waits for a connection. */
const MAX_CONNECTIONS = 10;

/** All that we write. RFC 8058 wants both List-Unsubscribe headers signed; the library leaves out one of them. */
const SIGNED_HEADERS = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Auto-Submitted',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
];

type SmtpConfig = Extract<Config['email']['transport'], { kind: 'smtp' }>;

/** Through an SMTP server, over a few connections that stay open. */
export function createSmtpMailer(config: SmtpConfig, sender: Config['email']['sender']): Mailer {
  const transport = createTransport({
    url: config.url,
    pool: true,
    // Retries are up to the caller: the server may have said 421 on the connection that it closed.
    maxRequeues: 0,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    ...(config.dkim && { dkim: { ...config.dkim, headerFieldNames: SIGNED_HEADERS.join(':') } }),
  });
  return {
    isEmbedded: false,
    async send(mail) {
      // The types lag behind the library.
      const message: SendMailOptions & { signal: AbortSignal } = {
        ...composeMessage(mail, sender),
        envelope: { from: sender.envelopeAddress, to: mail.to.address },
        signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
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

function toMailError(error: SmtpError): RecipientRefusedError | EmailDelayedError {
  if (isUndeliverable(error)) {
    return new RecipientRefusedError('The mail server refused the recipient', { cause: error });
  }
  const { responseCode = 0, code } = error;
  // ECONNECTION: the server closed a connection that was open, perhaps with a 421 on an idle one.
  const isTemporary =
    (responseCode >= 400 && responseCode < 500) || (!responseCode && code === 'ECONNECTION');
  return new EmailDelayedError('The mail server did not take it', { cause: error, isTemporary });
}
