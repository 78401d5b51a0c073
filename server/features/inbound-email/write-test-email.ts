import { randomUUID } from 'node:crypto';
import { buildMessage } from '../../platform/mailer/compose-message.ts';
import { domainOf } from './sender/from-address.ts';
import type { LocalDkimKey } from './local-dkim-key.ts';

export type WrittenEmail = {
  from: string;
  to: string;
  subject: string;
  text: string;
  photos: readonly { name: string; bytes: Buffer }[];
  messageId?: string;
};

/** Signs with this installation's own key, which its DKIM check accepts for any domain. */
export async function writeSignedEmail(email: WrittenEmail, key: LocalDkimKey): Promise<Buffer> {
  return signEmail(await writeEmail(email), domainOf(email.from), key);
}

export async function signEmail(message: Buffer, domain: string, key: LocalDkimKey): Promise<Buffer> {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
  const { signatures, errors } = await dkimSign(message, {
    canonicalization: 'relaxed/relaxed',
    // Otherwise the library reads the clock twice, and the signature is invalid if a second ends in between.
    signTime: new Date(),
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

async function writeEmail({ from, messageId, photos, ...email }: WrittenEmail): Promise<Buffer> {
  const message = await buildMessage({
    ...email,
    messageId: `<${messageId ?? `${randomUUID()}@${domainOf(from)}`}>`,
    // As octets: the photos' bytes decide what they are.
    attachments: photos.map(({ name, bytes }) => ({
      filename: name,
      content: bytes,
      contentType: 'application/octet-stream',
    })),
  });
  // nodemailer would quote local parts with misplaced dots, which some phone providers have given out.
  return Buffer.concat([Buffer.from(`From: ${from}\r\n`), message]);
}
