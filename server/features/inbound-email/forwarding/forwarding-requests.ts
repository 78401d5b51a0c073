import type { InboundEmailRow } from '../inbound-email-queries.ts';

/** Gmail's address for the code without which it forwards no email to a new address. */
export const GMAIL_FORWARDING_SENDER = 'forwarding-noreply@google.com';
const TEXT_MAX_LENGTH = 4_000;

export function isForwardingRequest({
  isAuthenticated,
  sender,
  photoCount,
}: Pick<InboundEmailRow, 'isAuthenticated' | 'sender' | 'photoCount'>): boolean {
  return isAuthenticated && sender === GMAIL_FORWARDING_SENDER && photoCount === 0;
}

export function toForwardingText(lines: string[]): string {
  const text = lines.map((line) => line.replace(/\p{Cc}/gu, ' ').trimEnd()).join('\n');
  return text
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, TEXT_MAX_LENGTH)
    .toWellFormed();
}

/** The same in all languages: `(#123456789)` in the subject, or the only long number beside links and addresses. */
export function findConfirmationCode(subject: string, text: string): string | null {
  const inSubject = /[#＃]\s*(\d{6,12})(?!\d)/.exec(subject)?.[1];
  if (inSubject) return inSubject;
  const withoutLinks = text.replace(/\S*[@/]\S*/g, ' ');
  const numbers = withoutLinks.match(/(?<![\d+])\d{6,12}(?!\d)/g) ?? [];
  const [code, ...others] = new Set(numbers);
  return code && others.length === 0 ? code : null;
}
