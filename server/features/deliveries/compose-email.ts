import type { AppContext } from '../../platform/context.ts';
import { userTimeZone } from '../users/user-queries.ts';
import type { Email } from '../../platform/mailer/mailer.ts';
import { publicUrl } from '../shares/share-url.ts';
import { displayNameOf } from '../users/display-name.ts';
import type { Addressee } from './recipient-queries.ts';
import { dayInWords } from './format-day.ts';
import { renderMailPhoto } from './email-photo.ts';
import type { LeasedMail, LinkedMemory } from './lease-due-email.ts';
import { preventAutolinks } from '../../platform/email-templates/prevent-autolinks.ts';
import type { EmailContent } from '../../platform/email-templates/render-email.ts';
import type { MailLinks } from './email-templates/contact-footer.tsx';
import type { MailedPhoto } from './email-templates/photo-print.tsx';
import { renderPhotosMail, type PhotosMail } from './email-templates/photos-email.tsx';
import { renderWelcomeMail } from './email-templates/welcome-email.tsx';

/** All pictures of a mail together. In base64 they take a third more, and a whole mail stays below 5 MB. */
const PHOTO_BYTES = 3_300_000;

type Context = Pick<AppContext, 'storage' | 'imageDecoder' | 'baseUrl'>;

/** A mail as it goes out now. Reads its photos from the storage, which may take long: no transaction is open. */
export async function composeMail(
  context: Context,
  { mail, addressee, memories }: LeasedMail,
): Promise<Email> {
  const { owner, name, email, token } = addressee;
  const ownerName = displayNameOf(owner);
  const origin = context.baseUrl.origin();
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
    fromName: preventAutolinks(ownerName),
    replyTo: { name: preventAutolinks(ownerName), address: owner.email },
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

function renderPhotosMailOf(pictures: MailPicture[], mail: Omit<PhotosMail, 'photos'>): EmailContent {
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
      when: dayInWords(memory.memoryDay ?? memory.createdAt, userTimeZone(owner)),
      url: publicUrl(context, memory.link),
    },
  };
}
