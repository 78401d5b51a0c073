import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

export type OutboxMail = {
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  unsubscribeUrl: string;
};

/** The emails in a server's dev outbox, oldest first. */
export async function readOutbox(dataDir: string): Promise<OutboxMail[]> {
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
  return mails.map(({ messageId = '', to, subject = '', html = '', text = '', headers }) => ({
    messageId,
    to: to?.[0]?.address ?? '',
    subject,
    html,
    text,
    unsubscribeUrl: headers.find(({ key }) => key === 'list-unsubscribe')?.value.replace(/[<>]/g, '') ?? '',
  }));
}

/** The subjects of the photo emails to a contact, without the first one, which only announces them. */
export async function photoMailsTo(dataDir: string, address: string): Promise<string[]> {
  return (await readOutbox(dataDir))
    .filter(({ to, subject }) => to === address && !subject.includes('added you'))
    .map(({ subject }) => subject);
}
