import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { timeZoneOf } from '../http/time-zone.ts';
import type { Mail } from '../ports/mailer.ts';
import { claimLink } from '../public-links/public-link-queries.ts';
import { publicUrl } from '../public-links/public-url.ts';
import { displayNameOf } from '../users/display-name.ts';
import type { Addressee } from './addressee-queries.ts';
import { dayInWords } from './day-in-words.ts';
import { renderMailPhoto } from './mail-photo.ts';
import type { MailRow } from './mail-queries.ts';
import { listMailedMemories, type MailedMemory } from './mailed-memory-queries.ts';
import { inertText } from '../mails/inert-text.ts';
import type { MailContent } from '../mails/render-mail.ts';
import type { MailLinks } from './mails/contact-footer.tsx';
import type { MailedPhoto } from './mails/photo-print.tsx';
import { renderPhotosMail, type PhotosMail } from './mails/photos-mail.tsx';
import { renderWelcomeMail } from './mails/welcome-mail.tsx';

/** All pictures of a mail together. In base64 they take a third more, and a whole mail stays below 5 MB. */
const PHOTO_BYTES = 3_300_000;

type Context = Pick<AppContext, 'clock' | 'storage' | 'imageDecoder' | 'publicAddress'>;

/** A mail as it goes out now; null when none of its photos is left. */
export async function composeMail(
  context: Context,
  tx: Tx,
  mail: MailRow,
  addressee: Addressee,
): Promise<Mail | null> {
  const { owner, name, email, token } = addressee;
  const ownerName = displayNameOf(owner);
  const origin = context.publicAddress.origin();
  const links: MailLinks = {
    stop: `${origin}/unsubscribe/${token}`,
    preferences: `${origin}/preferences/${token}`,
  };
  const memories = mail.kind === 'welcome' ? [] : await listMailedMemories(tx, mail.ownerId, mail.id);
  const budget = PHOTO_BYTES / memories.length;
  const pictures: MailPicture[] = [];
  for (const memory of memories) {
    pictures.push(await pictureOf(context, tx, mail, memory, { owner, budget }));
  }
  const content =
    mail.kind === 'welcome'
      ? renderWelcomeMail({ ownerName, links })
      : renderPhotosMailOf(pictures, { ownerName, links, isDigest: mail.kind === 'digest' });
  if (!content) return null;
  return {
    id: mail.id,
    to: { name, address: email },
    fromName: inertText(ownerName),
    replyTo: { name: inertText(ownerName), address: owner.email },
    ...content,
    images: pictures.map(({ photo: { cid }, content }, index) => ({
      cid,
      fileName: `photo-${index + 1}.jpg`,
      contentType: 'image/jpeg',
      content,
    })),
    unsubscribeUrl: links.stop,
  };
}

function renderPhotosMailOf(pictures: MailPicture[], mail: Omit<PhotosMail, 'photos'>): MailContent | null {
  const [first, ...others] = pictures.map(({ photo }) => photo);
  return first ? renderPhotosMail({ ...mail, photos: [first, ...others] }) : null;
}

type MailPicture = { photo: MailedPhoto; content: Buffer };

async function pictureOf(
  context: Context,
  tx: Tx,
  { ownerId, contactId }: MailRow,
  memory: MailedMemory,
  { owner, budget }: { owner: Addressee['owner']; budget: number },
): Promise<MailPicture> {
  const { content, width, height } = await renderMailPhoto(context, memory, budget);
  const createdAt = context.clock.now();
  const link = await claimLink(tx, { ownerId, memoryId: memory.id, contactId, createdAt });
  return {
    content,
    photo: {
      cid: memory.id,
      width,
      height,
      caption: memory.caption,
      petName: memory.petName,
      when: dayInWords(memory.memoryDay ?? memory.createdAt, timeZoneOf(owner)),
      url: publicUrl(context, link),
    },
  };
}
