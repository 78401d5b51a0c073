import { domainToASCII } from 'node:url';
import { addressParser } from 'postal-mime';
import { strictEmailAddress } from '#shared/email-address';
import type { MimeHeader } from '../mime/headers.ts';

/** Longer is no person's name; and looking for the ends of quotations in it would take long. */
const MAX_LENGTH = 2_000;
const Address = strictEmailAddress('No plain address');

/**
 * The one address in a message's From header, in lower case. Null when it could be read as another: no header or two,
 * several people, a group, a second address in its name, anything that programs read differently.
 */
export function fromAddress(headers: MimeHeader[]): string | null {
  const [only, second] = headers.filter(({ name }) => name === 'from');
  if (!only || second || only.value.length > MAX_LENGTH || hasControls(only.value)) return null;
  const withoutName = only.value
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .replace(/=\?[^\s?]+\?[bq]\?[^\s?]*\?=/gi, '');
  if (count(withoutName, '@') !== 1 || count(withoutName, '<') > 1 || /["\\]/.test(withoutName)) return null;
  const [mailbox, another] = addressParser(only.value);
  const isPlain = mailbox?.address && !another && withoutName.includes(mailbox.address);
  return isPlain ? plainAddress(mailbox.address) : null;
}

/** In lower case, its domain as the domain name system knows it. Null when it is no plain address. */
export function plainAddress(address: string): string | null {
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
