/** What nodemailer throws, as far as the server's reply goes. */
export type SmtpError = { code?: string; command?: string; response?: string; responseCode?: number };

/** RFC 3463: no such mailbox, host or address, it has moved, or its domain takes no mail (RFC 7505). */
const UNDELIVERABLE = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.2.1']);
/** Postfix says 5.1.0 of unknown senders, Exim `550 relay not permitted` and `550 Sender verify failed`. */
const ABOUT_US = /relay|sender|authenticat|\b(spf|dkim|dmarc)\b|spam|block|black|listed|policy|reputation/i;

/**
 * Whether a reply says for good that the recipient's address takes no mail. Everything else is about this server, the
 * message or the moment: 5.7.1 (relaying denied), 5.4.5 (quota), 5.1.7 and 5.1.8 (our own address), 554 after DATA.
 */
export function isUndeliverable({ command, response = '', responseCode = 0 }: SmtpError): boolean {
  const isAtRecipient = command === 'RCPT TO';
  // Each message has one recipient: some servers look for the mailbox only once the message is there.
  if (!isAtRecipient && command !== 'DATA') return false;
  if (responseCode < 500 || responseCode > 599) return false;
  const status = /^\d{3}[ -]#?(\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  if (status && status !== '5.1.0') return UNDELIVERABLE.has(status);
  const isUnspecific = status === '5.1.0' || responseCode === 550;
  // An address may hold any of those words.
  return isAtRecipient && isUnspecific && !ABOUT_US.test(response.replace(/\S+@\S+/g, ''));
}
