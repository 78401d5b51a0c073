import { domainToASCII } from 'node:url';
import { addressParser } from 'postal-mime';
import { lowerCaseEmailAddress } from '#shared/text/email-address';
import type { MimeHeader } from '../mime/headers.ts';

/** Bounds the time that the regular expressions take. */
const MAX_LENGTH = 2_000;
const Address = lowerCaseEmailAddress('Not a plain address');

/** Null when mail programs may show another: no header or two, several people, a group, a second address. */
export function parseFromAddress(headers: MimeHeader[]): string | null {
  const [only, second] = headers.filter(({ name }) => name === 'from');
  if (!only || second || only.value.length > MAX_LENGTH || hasControls(only.value)) return null;
  const withoutName = only.value
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .replace(/=\?[^\s?]+\?[bq]\?[^\s?]*\?=/gi, '');
  if (count(withoutName, '@') !== 1 || count(withoutName, '<') > 1 || /["\\]/.test(withoutName)) return null;
  const [mailbox, another] = addressParser(only.value);
  const isPlain = mailbox?.address && !another && withoutName.includes(mailbox.address);
  return isPlain ? toPlainAddress(mailbox.address) : null;
}

/** In lower case, with a punycode domain. Null when it is not a plain address. */
export function toPlainAddress(address: string): string | null {
  const at = address.lastIndexOf('@');
  const plain = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
  return at > 0 ? (Address.safeParse(plain).data ?? null) : null;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function hasControls(text: string): boolean {
  return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text);
}
