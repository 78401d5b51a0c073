import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import * as z from 'zod';

const MOST_LISTED = 200;
/** All headers of a mail of ours are in its first bytes. */
const HEAD_BYTES = 16 * 1024;

const OutboxText = z.object({ to: z.string(), text: z.string() });

const MAIL = '.eml';
const TEXT = '.sms.json';

export type MessageKind = 'mail' | 'text';

export type ListedMessage = { id: string; to: string; writtenAt: Date } & (
  { kind: 'mail'; subject: string } | { kind: 'text'; text: string }
);

/** The newest messages of these kinds, newest first. */
export async function listMessages(folder: string, kinds: readonly MessageKind[]): Promise<ListedMessage[]> {
  const names = await readdir(folder).catch(() => []);
  const listed = names.filter((name) => kinds.some((kind) => name.endsWith(kind === 'mail' ? MAIL : TEXT)));
  const dated = await Promise.all(
    listed.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtime })),
  );
  dated.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(
    dated
      .slice(0, MOST_LISTED)
      .map(({ name, writtenAt }) =>
        name.endsWith(MAIL) ? readMail(folder, name, writtenAt) : readText(folder, name, writtenAt),
      ),
  );
}

async function readMail(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const { subject = '', to } = await PostalMime.parse(await readHead(join(folder, name)));
  return { kind: 'mail', id: name.slice(0, -MAIL.length), to: to?.[0]?.address ?? '', subject, writtenAt };
}

async function readText(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const { to, text } = OutboxText.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  return { kind: 'text', id: name.slice(0, -TEXT.length), to, text, writtenAt };
}

/** Null when there is none of this id. */
export async function findMail(folder: string, id: string): Promise<Email | null> {
  if (!/^[\w-]{1,100}$/.test(id)) return null;
  const mime = await readFile(join(folder, `${id}${MAIL}`)).catch(() => null);
  return mime && PostalMime.parse(mime);
}

/** What the mail shows, with its pictures within. */
export function inlineHtml({ html = '', attachments }: Email): string {
  return attachments.reduce((page, { contentId, mimeType, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
    const cid = contentId?.replace(/[<>]/g, '');
    return cid ? page.replaceAll(`cid:${cid}`, `data:${mimeType};base64,${bytes.toString('base64')}`) : page;
  }, html);
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    const end = head.indexOf('\r\n\r\n');
    return end === -1 ? head : head.subarray(0, end);
  } finally {
    await file.close();
  }
}
