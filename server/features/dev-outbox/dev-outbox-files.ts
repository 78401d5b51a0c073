import { mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import * as z from 'zod';

const MOST_LISTED = 200;
/** All headers of a mail of ours are in its first bytes. */
const HEAD_BYTES = 16 * 1024;

const OutboxText = z.object({ to: z.string(), text: z.string() });
/** A text that came in, as a test of what a phone would send. */
const ReceivedText = z.object({ from: z.string(), text: z.string(), photoCount: z.number() });
export type ReceivedText = z.infer<typeof ReceivedText>;

const MAIL = '.eml';
const TEXT = '.sms.json';
const RECEIVED = '.received.json';
const ENDINGS = { mail: [MAIL], text: [TEXT, RECEIVED] };
const MEDIA_FOLDER = 'media';

export type MessageKind = keyof typeof ENDINGS;

export type ListedMessage = { id: string; writtenAt: Date } & (
  | { kind: 'mail'; to: string; subject: string }
  | { kind: 'text'; to: string; text: string }
  | ({ kind: 'received' } & ReceivedText)
);

/** The newest messages of these kinds, newest first. */
export async function listMessages(folder: string, kinds: readonly MessageKind[]): Promise<ListedMessage[]> {
  const names = await readdir(folder).catch(() => []);
  const endings = kinds.flatMap((kind) => ENDINGS[kind]);
  const listed = names.filter((name) => endings.some((ending) => name.endsWith(ending)));
  const dated = await Promise.all(
    listed.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtime })),
  );
  dated.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(
    dated.slice(0, MOST_LISTED).map(({ name, writtenAt }) => {
      if (name.endsWith(MAIL)) return readMail(folder, name, writtenAt);
      if (name.endsWith(TEXT)) return readText(folder, name, writtenAt);
      return readReceived(folder, name, writtenAt);
    }),
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

async function readReceived(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const received = ReceivedText.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  return { kind: 'received', id: name.slice(0, -RECEIVED.length), ...received, writtenAt };
}

export function keepReceived(folder: string, id: string, received: ReceivedText): Promise<void> {
  return writeWhole(join(folder, `${id}${RECEIVED}`), `${JSON.stringify(received, null, 2)}\n`);
}

/** Keeps what is attached to a text that comes in, until it is fetched and after. */
export function keepMedia(folder: string, id: string, bytes: Buffer): Promise<void> {
  return writeWhole(join(folder, MEDIA_FOLDER, id), bytes);
}

/** Null when there is none of this id. */
export async function findMedia(folder: string, id: string): Promise<Buffer | null> {
  if (!/^ME[0-9a-f]{32}$/.test(id)) return null;
  return readFile(join(folder, MEDIA_FOLDER, id)).catch(() => null);
}

async function writeWhole(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.draft`, content);
  await rename(`${path}.draft`, path);
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
