import { headerOf, type MimeHeader } from '../mime/headers.ts';

/** Whether a program or a mailing list sent it (RFC 3834). Replying could start a loop or reach a whole list. */
export function isAutomatic(headers: Pick<MimeHeader, 'name' | 'value'>[]): boolean {
  const submitted = headerOf(headers, 'auto-submitted');
  const suppressed = headerOf(headers, 'x-auto-response-suppress');
  const returnPath = headers.find(({ name }) => name === 'return-path')?.value.replace(/[<>\s]/g, '') ?? null;
  return (
    (submitted !== '' && !/^no\s*([;(]|$)/i.test(submitted)) ||
    (suppressed !== '' && !/^none$/i.test(suppressed)) ||
    /^(bulk|list|junk|auto_reply)$/i.test(headerOf(headers, 'precedence')) ||
    headers.some(({ name }) => name.startsWith('list-') || name === 'x-autoreply' || name === 'x-loop') ||
    isAutomaticSender(returnPath) ||
    /^multipart\/report/i.test(headerOf(headers, 'content-type'))
  );
}

/** Whether the envelope sender is empty or a mailer daemon, as in bounces. */
export function isAutomaticSender(envelopeSender: string | null): boolean {
  return envelopeSender !== null && /^(mailer-daemon(@.*)?)?$/i.test(envelopeSender);
}
