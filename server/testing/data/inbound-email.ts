import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, gt } from 'drizzle-orm';
import { vi } from 'vitest';
import type { User } from '#shared/accounts/user';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { ingestEmailsJob } from '../../features/inbound-email/ingest-emails-job.ts';
import { createLocalDkimKey, inboundEmailSecret } from '../../features/inbound-email/local-dkim-key.ts';
import {
  signEmail,
  writeSignedEmail,
  type WrittenEmail,
} from '../../features/inbound-email/write-test-email.ts';
import { inboundEmails } from '../../platform/db/schema/transfers/inbound-emails.ts';
import { readOutbox, type OutboxEmail } from '../clients/dev-outbox.ts';
import type { TestClient, TestResponse } from '../clients/test-client.ts';
import { makePhoto } from '../photos/photos.ts';
import type { TestServer } from '../test-server.ts';
import { TIMEOUT } from '../timing/timeout.ts';

/** An account that emails photos to its own address for photos. */
export type EmailOwner = TestClient & { userId: string; email: string; inboundEmail: string };

export async function signUpEmailOwner(server: Pick<TestServer, 'signUp'>): Promise<EmailOwner> {
  const client = await server.signUp();
  const { email } = (await client.get('/api/user')).body as User;
  return Object.assign(client, { email, inboundEmail: await inboundEmailOf(client) });
}

export async function inboundEmailOf(client: TestClient): Promise<string> {
  const { inboundEmail } = (await client.get('/api/user')).body as User;
  if (!inboundEmail) throw new Error('This account has no address for photos');
  return inboundEmail;
}

let photos = 0;

/** Different on each call. */
export async function newPhoto(): Promise<{ name: string; bytes: Buffer }> {
  return { name: 'photo.jpg', bytes: await makePhoto({ width: 60 + ++photos }) };
}

/** An email with a valid DKIM signature, since this server trusts the local key for every domain. */
export function signedEmail(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  email: Partial<WrittenEmail> & Pick<WrittenEmail, 'from' | 'to'>,
): Promise<Buffer> {
  const rest = { subject: '', text: '', photos: [] };
  return writeSignedEmail({ ...rest, ...email }, createLocalDkimKey(keyedHash));
}

/** Signs an existing message. */
export function signedMessage(
  { context: { keyedHash } }: Pick<TestServer, 'context'>,
  message: Buffer,
  domain: string,
): Promise<Buffer> {
  return signEmail(message, domain, createLocalDkimKey(keyedHash));
}

/** Posts it to the webhook, as a mail server does. */
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

/** Delivers an email with a new photo from the owner to their address for photos, unless overridden. @returns it */
export async function sendEmail(
  server: TestServer,
  owner: EmailOwner,
  email: Partial<WrittenEmail> = {},
  headers: Record<string, string> = {},
): Promise<Buffer> {
  const photos = email.photos ?? [await newPhoto()];
  const raw = await signedEmail(server, { from: owner.email, to: owner.inboundEmail, ...email, photos });
  const { status, text } = await pushEmail(server, owner.inboundEmail, raw, headers);
  if (status !== 202) throw new Error(`The email was not accepted: ${status} ${text}`);
  return raw;
}

/** Delivers an email and ingests it. */
export async function sendEmailAndWait(...args: Parameters<typeof sendEmail>): Promise<Buffer> {
  const raw = await sendEmail(...args);
  const [server] = args;
  await ingestEmails(server);
  return raw;
}

/** Runs all jobs, and again at once for emails that failed on a busy machine and would be retried after a delay. */
export async function ingestEmails(server: TestServer): Promise<void> {
  const { db } = server.context;
  const isWaiting = and(eq(inboundEmails.status, 'received'), gt(inboundEmails.attempts, 0));
  for (let attempt = 0; attempt < 5; attempt++) {
    await server.drainJobs();
    const retried = await db
      .update(inboundEmails)
      .set({ nextAttemptAt: new Date(0) })
      .where(isWaiting)
      .returning({ id: inboundEmails.id });
    if (retried.length === 0) return;
    await db.transaction((tx) => server.context.jobs.enqueue(tx, ingestEmailsJob, {}));
  }
}

export async function heldMessagesOf(client: TestClient): Promise<HeldMessage[]> {
  return (await client.get('/api/held-messages')).body as HeldMessage[];
}

export async function emailRepliesTo({ dataDir }: TestServer, address: string): Promise<OutboxEmail[]> {
  return (await readOutbox(dataDir)).filter(({ to, subject }) => to === address && subject.startsWith('Re:'));
}

/** The keys of all stored emails. */
export function storedEmails({ dataDir }: TestServer): Promise<string[]> {
  return readdir(join(dataDir, 'objects', 'inbound-mail')).catch(() => []);
}

/** Waits until this many emails have started to arrive and are not yet received. */
export async function waitForArriving({ context: { db } }: TestServer, count: number): Promise<void> {
  const countArriving = () => db.$count(inboundEmails, eq(inboundEmails.status, 'arriving'));
  await vi.waitUntil(async () => (await countArriving()) === count, TIMEOUT);
}
