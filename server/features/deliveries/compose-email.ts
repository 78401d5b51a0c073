import type { AppContext } from '../../platform/context.ts';
import { preventAutolinks } from '../../platform/email-templates/prevent-autolinks.ts';
import type { EmailContent } from '../../platform/email-templates/render-email.ts';
import { UnavailableError } from '../../platform/errors.ts';
import type { Email } from '../../platform/mailer/mailer.ts';
import { variantKey } from '../images/image-variants.ts';
import { shareUrl } from '../../platform/share-url.ts';
import { getDisplayName, userTimeZone } from '../accounts/users/user-queries.ts';
import type { EmailMemory, Recipient } from './email-content-queries.ts';
import type { ContactLinks } from './email-templates/contact-footer.tsx';
import type { EmailPhoto } from './email-templates/photo-print.tsx';
import { renderPhotosEmail, type PhotosEmail } from './email-templates/photos-email.tsx';
import { renderWelcomeEmail } from './email-templates/welcome-email.tsx';
import { formatDay } from '../../platform/time/format-day.ts';
import type { LeasedEmail, SharedMemory } from './lease-due-email.ts';

/** For all photos of an email. Base64 adds a third, so the whole email stays below 5 MB. */
const MAX_PHOTO_BYTES = 3_300_000;
/** Lengths of the longer side, tried in turn until the photo fits. */
const SIDES = [1600, 1200, 900, 700, 500, 350, 250] as const;

type Context = Pick<AppContext, 'storage' | 'imageDecoder' | 'baseUrl'>;

/** Reads the photos from the object storage, which may be slow: call it outside of any transaction. */
export async function composeEmail(
  context: Context,
  { email, recipient, memories }: LeasedEmail,
): Promise<Email> {
  const { owner } = recipient;
  const ownerName = getDisplayName(owner);
  const origin = context.baseUrl.origin();
  const links: ContactLinks = {
    unsubscribe: `${origin}/unsubscribe/${recipient.token}`,
    preferences: `${origin}/preferences/${recipient.token}`,
  };
  const maxBytes = MAX_PHOTO_BYTES / memories.length;
  const photos: RenderedPhoto[] = [];
  for (const memory of memories) photos.push(await renderPhoto(context, memory, { owner, maxBytes }));
  const content =
    email.kind === 'welcome'
      ? renderWelcomeEmail({ ownerName, links })
      : renderPhotos(photos, { ownerName, links, isDigest: email.kind === 'digest' });
  return {
    id: email.id,
    to: { name: recipient.name, address: recipient.email },
    fromName: `${preventAutolinks(ownerName)} via Mems Are Forever`,
    replyTo: { name: preventAutolinks(ownerName), address: owner.email },
    ...content,
    images: photos.map(({ photo: { cid }, content }, index) => ({
      cid,
      fileName: `photo-${index + 1}.jpg`,
      contentType: 'image/jpeg',
      content,
    })),
    unsubscribeUrl: links.unsubscribe,
  };
}

function renderPhotos(photos: RenderedPhoto[], email: Omit<PhotosEmail, 'photos'>): EmailContent {
  const [first, ...others] = photos.map(({ photo }) => photo);
  if (!first) throw new Error('The email has no photos');
  return renderPhotosEmail({ ...email, photos: [first, ...others] });
}

type RenderedPhoto = { photo: EmailPhoto; content: Buffer };

async function renderPhoto(
  context: Context,
  memory: SharedMemory,
  { owner, maxBytes }: { owner: Recipient['owner']; maxBytes: number },
): Promise<RenderedPhoto> {
  const { content, width, height } = await renderJpeg(context, memory, maxBytes);
  return {
    content,
    photo: {
      cid: memory.id,
      width,
      height,
      caption: memory.caption,
      petName: memory.petName,
      day: formatDay(memory.memoryDay ?? memory.createdAt, userTimeZone(owner)),
      url: shareUrl(context, memory.share),
    },
  };
}

/** A JPEG without metadata, since email programs support WebP poorly. @throws UnavailableError when no bytes are stored */
export async function renderJpeg(
  { storage, imageDecoder }: Pick<AppContext, 'storage' | 'imageDecoder'>,
  { image }: Pick<EmailMemory, 'image'>,
  maxBytes: number,
): Promise<{ content: Buffer; width: number; height: number }> {
  // The largest variant is as wide as any JPEG here, and decodes much faster than the original.
  const source =
    (await storage.read(variantKey(image.id, 1600, image.copyVersion))) ??
    (await storage.read(image.objectKey));
  if (!source) throw new UnavailableError();
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const [width = 1, height = 1] = [image.width, image.height].map((length) =>
      Math.max(1, Math.round(length * scale)),
    );
    const renderings = [{ format: 'jpeg' as const, width }];
    const [content] = await imageDecoder.render(image.ownerId, source, renderings, 'background');
    const isLast = side === SIDES.at(-1);
    if (content && (content.length <= maxBytes || isLast)) return { content, width, height };
  }
  throw new Error('The decoder returned no JPEG');
}
