import type { AppContext } from '../context.ts';
import { timeZoneOf } from '../http/time-zone.ts';
import type { Mail } from '../ports/mailer.ts';
import { publicUrl } from '../public-links/public-url.ts';
import { displayNameOf } from '../users/display-name.ts';
import type { Addressee } from './addressee-queries.ts';
import { dayInWords } from './day-in-words.ts';
import { renderMailPhoto } from './mail-photo.ts';
import type { LeasedMail, LinkedMemory } from './lease-due-mail.ts';
import { inertText } from '../mails/inert-text.ts';
import type { MailContent } from '../mails/render-mail.ts';
import type { MailLinks } from './mails/contact-footer.tsx';
import type { MailedPhoto } from './mails/photo-print.tsx';
import { renderPhotosMail, type PhotosMail } from './mails/photos-mail.tsx';
import { renderWelcomeMail } from './mails/welcome-mail.tsx';

/** All pictures of a mail together. In base64 they take a third more, and a whole mail stays below 5 MB. */
const PHOTO_BYTES = 3_300_000;

type Context = Pick<AppContext, 'storage' | 'imageDecoder' | 'publicAddress'>;

/** A mail as it goes out now. Reads its photos from the storage, which may take long: no transaction is open. */
export async function composeMail(
  context: Context,
  { mail, addressee, memories }: LeasedMail,
): Promise<Mail> {
  const { owner, name, email, token } = addressee;
  const ownerName = displayNameOf(owner);
  const origin = context.publicAddress.origin();
  const links: MailLinks = {
    stop: `${origin}/unsubscribe/${token}`,
    preferences: `${origin}/preferences/${token}`,
  };
  const budget = PHOTO_BYTES / memories.length;
  const pictures: MailPicture[] = [];
  for (const memory of memories) pictures.push(await readPicture(context, memory, { owner, budget }));
  const content =
    mail.kind === 'welcome'
      ? renderWelcomeMail({ ownerName, links })
      : renderPhotosMailOf(pictures, { ownerName, links, isDigest: mail.kind === 'digest' });
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

function renderPhotosMailOf(pictures: MailPicture[], mail: Omit<PhotosMail, 'photos'>): MailContent {
  const [first, ...others] = pictures.map(({ photo }) => photo);
  if (!first) throw new Error('A mail of photos has none');
  return renderPhotosMail({ ...mail, photos: [first, ...others] });
}

type MailPicture = { photo: MailedPhoto; content: Buffer };

async function readPicture(
  context: Context,
  memory: LinkedMemory,
  { owner, budget }: { owner: Addressee['owner']; budget: number },
): Promise<MailPicture> {
  const { content, width, height } = await renderMailPhoto(context, memory, budget);
  return {
    content,
    photo: {
      cid: memory.id,
      width,
      height,
      caption: memory.caption,
      petName: memory.petName,
      when: dayInWords(memory.memoryDay ?? memory.createdAt, timeZoneOf(owner)),
      url: publicUrl(context, memory.link),
    },
  };
}
