import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

const MOST_LISTED = 200;
/** All headers of a mail of ours are in its first bytes. */
const HEAD_BYTES = 16 * 1024;

export type ListedMail = { id: string; subject: string; to: string; writtenAt: Date };

/** The newest mails of the folder, newest first. */
export async function listMails(folder: string): Promise<ListedMail[]> {
  const names = await readdir(folder).catch(() => []);
  const mails = names.filter((name) => name.endsWith('.eml'));
  const dated = await Promise.all(
    mails.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtime })),
  );
  dated.sort((a, b) => b.writtenAt.getTime() - a.writtenAt.getTime());
  return Promise.all(
    dated.slice(0, MOST_LISTED).map(async ({ name, writtenAt }) => {
      const { subject = '', to } = await PostalMime.parse(await readHead(join(folder, name)));
      return { id: name.slice(0, -'.eml'.length), subject, to: to?.[0]?.address ?? '', writtenAt };
    }),
  );
}

/** Null when there is none of this id. */
export async function findMail(folder: string, id: string): Promise<Email | null> {
  if (!/^[\w-]{1,100}$/.test(id)) return null;
  const mime = await readFile(join(folder, `${id}.eml`)).catch(() => null);
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
