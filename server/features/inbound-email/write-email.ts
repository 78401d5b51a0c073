import { randomUUID } from 'node:crypto';
import { domainOf } from './sender/from-address.ts';
import type { LocalDkimKey } from './local-dkim-key.ts';

/** A mail with photos, as a mail program would send it. */
export type WrittenEmail = {
  from: string;
  to: string;
  subject: string;
  text: string;
  photos: { name: string; bytes: Buffer }[];
  messageId?: string;
};

/** The whole message, signed with this installation's own key, which it knows as the sender's domain's. */
export function writeSignedEmail(mail: WrittenEmail, key: LocalDkimKey): Promise<Buffer> {
  return signEmail(writeEmail(mail), domainOf(mail.from), key);
}

/** @param domain whose signature it is */
export async function signEmail(message: Buffer, domain: string, key: LocalDkimKey): Promise<Buffer> {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
  const { signatures, errors } = await dkimSign(message, {
    canonicalization: 'relaxed/relaxed',
    signatureData: [
      {
        signingDomain: domain,
        selector: key.selector,
        // The library takes a key of 32 bytes as they are; its types know only text.
        privateKey: key.privateKey as unknown as string,
        algorithm: 'ed25519-sha256',
      },
    ],
  } as unknown as Parameters<typeof dkimSign>[1]);
  if (errors.length > 0) throw new Error('The test mail could not be signed', { cause: errors[0] });
  return Buffer.concat([Buffer.from(signatures), message]);
}

function writeEmail({ from, to, subject, text, photos, messageId }: WrittenEmail): Buffer {
  const boundary = `=_${randomUUID()}`;
  const headers = [
    `From: ${inOneLine(from)}`,
    `To: ${inOneLine(to)}`,
    `Subject: ${encodedWords(subject)}`,
    `Message-ID: <${messageId ?? `${randomUUID()}@${domainOf(from)}`}>`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
  ];
  const parts = [
    part('text/plain; charset=utf-8', Buffer.from(text)),
    ...photos.map(({ name, bytes }) =>
      part(`application/octet-stream; name="${encodedWords(name)}"`, bytes, 'attachment'),
    ),
  ];
  const body = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('');
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}--${boundary}--\r\n`, 'latin1');
}

function part(type: string, bytes: Buffer, disposition = 'inline'): string {
  const head = `Content-Type: ${type}\r\nContent-Disposition: ${disposition}\r\nContent-Transfer-Encoding: base64`;
  return `${head}\r\n\r\n${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}`;
}

/** RFC 2047: each word short, and no character cut in two. */
function encodedWords(text: string): string {
  const pieces = [...inOneLine(text)].reduce<string[]>(
    (words, character) => {
      const last = words.at(-1) ?? '';
      if (Buffer.byteLength(last + character) <= 45) return [...words.slice(0, -1), last + character];
      return [...words, character];
    },
    [''],
  );
  return pieces.map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ');
}

function inOneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
