import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../config/config.ts';
import { EmailDelayedError, RecipientRejectedError, type Mailer } from './mailer.ts';
import { composeMessage } from './compose-message.ts';

const MINUTE_MS = 60_000;
/** RFC 5321, 4.5.3.2: for the greeting, and for the longest reply, to the final dot. */
const GREETING_TIMEOUT_MS = 5 * MINUTE_MS;
const REPLY_TIMEOUT_MS = 10.5 * MINUTE_MS;
/** From the DNS lookup to the end of STARTTLS. */
const CONNECTION_TIMEOUT_MS = 6 * MINUTE_MS;
/** For a whole email, so that a slow server cannot hold a connection. */
const MAIL_TIMEOUT_MS = 30 * MINUTE_MS;
/** More than all jobs send at once, so that none waits for a connection. */
const MAX_CONNECTIONS = 10;

/** All headers that we write. RFC 8058 requires both List-Unsubscribe headers to be signed; nodemailer omits one by default. */
const SIGNED_HEADERS =
  'From:Reply-To:To:Subject:Date:Message-ID:In-Reply-To:References:MIME-Version:Content-Type:' +
  'Content-Transfer-Encoding:Auto-Submitted:List-Unsubscribe:List-Unsubscribe-Post';

type SmtpConfig = Extract<Config['email']['transport'], { kind: 'smtp' }>;

export function createSmtpMailer(config: SmtpConfig, sender: Config['email']['sender']): Mailer {
  const transport = createTransport({
    url: config.url,
    requireTLS: config.requiresTls,
    pool: true,
    // The caller retries: the server may have closed the connection with 421.
    maxRequeues: 0,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
    ...(config.dkim && { dkim: { ...config.dkim, headerFieldNames: SIGNED_HEADERS } }),
  });
  return {
    isEmbedded: false,
    async send(mail) {
      // `signal` is missing in nodemailer's types.
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

function toMailError(error: SmtpError): RecipientRejectedError | EmailDelayedError {
  if (isUndeliverable(error)) {
    return new RecipientRejectedError('The mail server rejected the recipient', { cause: error });
  }
  const { responseCode = 0, code } = error;
  // ECONNECTION: the server closed a connection that was open, perhaps with a 421 on an idle one.
  const isTemporary =
    (responseCode >= 400 && responseCode < 500) || (!responseCode && code === 'ECONNECTION');
  return new EmailDelayedError('The mail server did not take it', { cause: error, isTemporary });
}

/** An error of nodemailer's, with the server's reply. */
type SmtpError = { code?: string; command?: string; response?: string; responseCode?: number };

/** RFC 3463: no such mailbox, host or address, it has moved, or its domain takes no email (RFC 7505). */
const UNDELIVERABLE = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.2.1']);
/** Postfix replies 5.1.0 for unknown senders, Exim `550 relay not permitted` and `550 Sender verify failed`. */
const ABOUT_US = /relay|sender|authenticat|\b(spf|dkim|dmarc)\b|spam|block|black|listed|policy|reputation/i;

/**
 * Whether the reply permanently rejects the recipient's address. Everything else concerns this server, the message or the
 * moment: 5.7.1 (relaying denied), 5.4.5 (quota), 5.1.7 and 5.1.8 (our own address), 554 after DATA.
 */
function isUndeliverable({ command, response = '', responseCode = 0 }: SmtpError): boolean {
  const isAtRecipient = command === 'RCPT TO';
  // Each message has one recipient, and some servers look up the mailbox only after DATA.
  if (!isAtRecipient && command !== 'DATA') return false;
  if (responseCode < 500 || responseCode > 599) return false;
  const status = /^\d{3}[ -]#?(\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  if (status && status !== '5.1.0') return UNDELIVERABLE.has(status);
  const isUnspecific = status === '5.1.0' || responseCode === 550;
  // The address itself may contain one of these words.
  return isAtRecipient && isUnspecific && !ABOUT_US.test(response.replace(/\S+@\S+/g, ''));
}
