import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { DEV_OUTBOX_COOKIE } from '../../features/dev-outbox/dev-outbox-key-middleware.tsx';
import type { TestServer } from '../test-server.ts';
import type { TestClient } from './test-client.ts';

/** A client that has opened the link printed at the start. */
export function outboxVisitor({ visitor, context }: Pick<TestServer, 'visitor' | 'context'>): TestClient {
  const client = visitor();
  client.setCookie(`${DEV_OUTBOX_COOKIE}=${context.devOutboxKey}`);
  return client;
}

export type OutboxEmail = {
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  unsubscribeUrl: string;
};

/** The emails in a server's outbox, oldest first. */
export async function readOutbox(dataDir: string): Promise<OutboxEmail[]> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => parseSentEmail(await readFile(join(folder, name)))),
  );
}

export async function parseSentEmail(mime: string | Uint8Array): Promise<OutboxEmail> {
  const { messageId = '', to, subject = '', html = '', text = '', headers } = await PostalMime.parse(mime);
  return {
    messageId,
    to: to?.[0]?.address ?? '',
    subject,
    html,
    text,
    unsubscribeUrl: headers.find(({ key }) => key === 'list-unsubscribe')?.value.replace(/[<>]/g, '') ?? '',
  };
}

/** The subjects of photo emails to a contact, without the first email, which only announces them. */
export async function photoEmailsTo(dataDir: string, address: string): Promise<string[]> {
  return (await readOutbox(dataDir))
    .filter(({ to, subject }) => to === address && !subject.includes('added you'))
    .map(({ subject }) => subject);
}
