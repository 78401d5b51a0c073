import { headerOf, type MimeHeader } from './mime/headers.ts';

/** Sent by a program, or to a list (RFC 3834): whoever answers it answers nobody, or everybody. */
export function isAutomatic(headers: Pick<MimeHeader, 'name' | 'value'>[]): boolean {
  const submitted = headerOf(headers, 'auto-submitted');
  const suppressed = headerOf(headers, 'x-auto-response-suppress');
  const returnPath = headers.find(({ name }) => name === 'return-path')?.value.replace(/[<>\s]/g, '') ?? null;
  return (
    (submitted !== '' && !/^no\s*([;(]|$)/i.test(submitted)) ||
    (suppressed !== '' && !/^none$/i.test(suppressed)) ||
    /^(bulk|list|junk|auto_reply)$/i.test(headerOf(headers, 'precedence')) ||
    headers.some(({ name }) => name.startsWith('list-') || name === 'x-autoreply' || name === 'x-loop') ||
    isMachine(returnPath) ||
    /^multipart\/report/i.test(headerOf(headers, 'content-type'))
  );
}

/** Whether an envelope's sender, if it was told, reads no answers: reports of mail that came back are from there. */
export function isMachine(envelopeSender: string | null): boolean {
  return envelopeSender !== null && /^(mailer-daemon(@.*)?)?$/i.test(envelopeSender);
}
