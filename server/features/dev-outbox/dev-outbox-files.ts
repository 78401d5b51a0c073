import { mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import * as z from 'zod';

const MAX_LISTED = 200;
/** Holds all headers of an email that we send. */
const HEAD_BYTES = 16 * 1024;

const SentSms = z.object({ to: z.string(), text: z.string() });
/** A test SMS to the product's number. */
const ReceivedSms = z.object({ from: z.string(), text: z.string(), photoCount: z.number() });
type ReceivedSms = z.infer<typeof ReceivedSms>;

const EMAIL_SUFFIX = '.eml';
const SMS_SUFFIX = '.sms.json';
const RECEIVED_SUFFIX = '.received.json';
const SUFFIXES = { email: [EMAIL_SUFFIX], sms: [SMS_SUFFIX, RECEIVED_SUFFIX] };
const MEDIA_FOLDER = 'media';

export type MessageKind = keyof typeof SUFFIXES;

export type ListedMessage = { id: string; writtenAt: Date } & (
  | { kind: 'email'; to: string; subject: string }
  | { kind: 'sms'; to: string; text: string }
  | ({ kind: 'received' } & ReceivedSms)
);

/** The name of a stored message, not of one that is still written. */
export function isOutgoing(name: string): boolean {
  return name.endsWith(EMAIL_SUFFIX) || name.endsWith(SMS_SUFFIX);
}

export async function listMessages(folder: string, kinds: readonly MessageKind[]): Promise<ListedMessage[]> {
  const names = await readdir(folder).catch(() => []);
  const suffixes = kinds.flatMap((kind) => SUFFIXES[kind]);
  const listed = names.filter((name) => suffixes.some((suffix) => name.endsWith(suffix)));
  const dated = await Promise.all(
    listed.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtime })),
  );
  dated.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(
    dated.slice(0, MAX_LISTED).map(({ name, writtenAt }) => {
      if (name.endsWith(EMAIL_SUFFIX)) return readEmail(folder, name, writtenAt);
      if (name.endsWith(SMS_SUFFIX)) return readSms(folder, name, writtenAt);
      return readReceived(folder, name, writtenAt);
    }),
  );
}

async function readEmail(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const { subject = '', to } = await PostalMime.parse(await readHead(join(folder, name)));
  return {
    kind: 'email',
    id: name.slice(0, -EMAIL_SUFFIX.length),
    to: to?.[0]?.address ?? '',
    subject,
    writtenAt,
  };
}

async function readSms(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const { to, text } = SentSms.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  return { kind: 'sms', id: name.slice(0, -SMS_SUFFIX.length), to, text, writtenAt };
}

async function readReceived(folder: string, name: string, writtenAt: Date): Promise<ListedMessage> {
  const received = ReceivedSms.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  return { kind: 'received', id: name.slice(0, -RECEIVED_SUFFIX.length), ...received, writtenAt };
}

export function saveReceivedSms(folder: string, id: string, received: ReceivedSms): Promise<void> {
  return writeAtomically(join(folder, `${id}${RECEIVED_SUFFIX}`), `${JSON.stringify(received, null, 2)}\n`);
}

export function saveMedia(folder: string, id: string, bytes: Buffer): Promise<void> {
  return writeAtomically(join(folder, MEDIA_FOLDER, id), bytes);
}

export async function findMedia(folder: string, id: string): Promise<Buffer | null> {
  if (!/^ME[0-9a-f]{32}$/.test(id)) return null;
  return readFile(join(folder, MEDIA_FOLDER, id)).catch(() => null);
}

async function writeAtomically(path: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.draft`, content);
  await rename(`${path}.draft`, path);
}

export async function findEmail(folder: string, id: string): Promise<Email | null> {
  if (!/^[\w-]{1,100}$/.test(id)) return null;
  const mime = await readFile(join(folder, `${id}${EMAIL_SUFFIX}`)).catch(() => null);
  return mime && PostalMime.parse(mime);
}

/** The email's HTML with its images as data URLs. */
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
