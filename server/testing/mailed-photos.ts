import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldMessage } from '#shared/inbound-email';
import type { User } from '#shared/user';
import { createLocalDkimKey, inboundEmailSecret } from '../features/inbound-email/local-dkim-key.ts';
import { signEmail, writeSignedEmail, type WrittenEmail } from '../features/inbound-email/write-email.ts';
import { readOutbox, type OutboxMail } from './outbox.ts';
import { makePhoto } from './photos.ts';
import type { TestClient, TestResponse } from './test-client.ts';
import type { TestServer } from './test-server.ts';

/** An account that mails photos, from its own address to the one it has for that. */
export type MailOwner = TestClient & { userId: string; email: string; inboundEmail: string };

export async function signUpMailOwner(server: Pick<TestServer, 'signUp'>): Promise<MailOwner> {
  const client = await server.signUp();
  const { email } = (await client.get('/api/user')).body as User;
  return Object.assign(client, { email, inboundEmail: await inboundEmailOf(client) });
}

/** The account's own address for photos. */
export async function inboundEmailOf(client: TestClient): Promise<string> {
  const { inboundEmail } = (await client.get('/api/user')).body as User;
  if (!inboundEmail) throw new Error('This account has no address for photos');
  return inboundEmail;
}

let photos = 0;

/** Each another. */
export async function newPhoto(): Promise<{ name: string; bytes: Buffer }> {
  return { name: 'photo.jpg', bytes: await makePhoto({ width: 60 + ++photos }) };
}

/** A mail that its sender's domain has signed, as far as this server knows. */
export function signedEmail(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  mail: Partial<WrittenEmail> & Pick<WrittenEmail, 'from' | 'to'>,
): Promise<Buffer> {
  const rest = { subject: '', text: '', photos: [] };
  return writeSignedEmail({ ...rest, ...mail }, createLocalDkimKey(keyedHash));
}

/** The same for a message that is written already. */
export function signedMessage(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  message: Buffer,
  domain: string,
): Promise<Buffer> {
  return signEmail(message, domain, createLocalDkimKey(keyedHash));
}

/** As a mail server pushes it. */
export function pushEmail(
  { context: { keyedHash }, visitor }: Pick<TestServer, 'context' | 'visitor'>,
  to: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return visitor().request('POST', '/api/email/incoming', {
    body,
    headers: {
      'Content-Type': 'message/rfc822',
      Authorization: `Bearer ${inboundEmailSecret(null, keyedHash)}`,
      'X-Original-To': to,
      ...headers,
    },
  });
}

/** Brings a photo from the owner to the owner's own address, unless it says otherwise. @returns the mail */
export async function bringEmail(
  server: TestServer,
  owner: MailOwner,
  mail: Partial<WrittenEmail> = {},
  headers: Record<string, string> = {},
): Promise<Buffer> {
  const photos = mail.photos ?? [await newPhoto()];
  const raw = await signedEmail(server, { from: owner.email, to: owner.inboundEmail, ...mail, photos });
  const { status, text } = await pushEmail(server, owner.inboundEmail, raw, headers);
  if (status !== 202) throw new Error(`The mail was not taken: ${status} ${text}`);
  return raw;
}

/** The same, and all that comes of it has come. */
export async function mailIn(...mail: Parameters<typeof bringEmail>): Promise<Buffer> {
  const raw = await bringEmail(...mail);
  const [server] = mail;
  await server.drainJobs();
  return raw;
}

/** Mail that waits for this account's OK. */
export async function heldBy(client: TestClient): Promise<HeldMessage[]> {
  return (await client.get('/api/held-messages')).body as HeldMessage[];
}

export async function answersTo({ dataDir }: TestServer, address: string): Promise<OutboxMail[]> {
  return (await readOutbox(dataDir)).filter(({ to, subject }) => to === address && subject.startsWith('Re:'));
}

/** The names of all mail of which something is stored. */
export function storedMail({ dataDir }: TestServer): Promise<string[]> {
  return readdir(join(dataDir, 'objects', 'inbound-mail')).catch(() => []);
}
