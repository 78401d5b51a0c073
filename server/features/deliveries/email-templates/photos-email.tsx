import { clipText } from '../../../platform/email-templates/clip-text.ts';
import { preventAutolinks } from '../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  EmailHeading,
  EmailLayout,
  MainButton,
  Paragraph,
  UserText,
} from '../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../platform/email-templates/render-email.ts';
import { ContactFooter, contactFooterText, type MailLinks } from './contact-footer.tsx';
import { PhotoPrint, photoText, type MailedPhoto } from './photo-print.tsx';

export type PhotosMail = {
  ownerName: string;
  photos: [MailedPhoto, ...MailedPhoto[]];
  /** Those of a week, for whoever wants them so. */
  isDigest: boolean;
  links: MailLinks;
};

/** Captions have no limit; a mail has. Its page in the browser tells the whole story. */
const CAPTION_LENGTH = 1000;
const PREVIEW_LENGTH = 120;
const DIGEST = 'All the photos of this week, together.';

/** New photos, one or several. */
export function renderPhotosMail({ ownerName, photos, isDigest, links }: PhotosMail): EmailContent {
  const owner = preventAutolinks(ownerName);
  const [first, ...others] = photos.map(inert) as typeof photos;
  const all = [first, ...others];
  const news =
    others.length > 0
      ? `has shared ${all.length} new photos`
      : `has shared a new photo${first.petName ? ` of ${first.petName}` : ''}`;
  const subject = `${owner} ${news}`;
  const isAlone = others.length === 0;
  return renderEmail(
    subject,
    <EmailLayout
      origin={new URL(links.preferences).origin}
      title={subject}
      preview={previewOf(all)}
      footer={<ContactFooter owner={owner} links={links} />}
    >
      <EmailHeading>
        <UserText>{owner}</UserText> {news}
      </EmailHeading>
      {isDigest && <Paragraph>{DIGEST}</Paragraph>}
      {all.map((photo) => (
        <PhotoPrint key={photo.cid} photo={photo} isAlone={isAlone} />
      ))}
      {isAlone && <MainButton href={first.url}>View in browser</MainButton>}
      <Aside>
        To write to <UserText>{owner}</UserText>, just reply to this email.
      </Aside>
    </EmailLayout>,
    [
      subject,
      isDigest && DIGEST,
      ...all.map(photoText),
      `To write to ${owner}, just reply to this email.`,
      contactFooterText(owner, links),
    ],
  );
}

/** What people wrote is data: nothing in it becomes a link. */
function inert(photo: MailedPhoto): MailedPhoto {
  const { caption, petName } = photo;
  return {
    ...photo,
    caption: caption && preventAutolinks(clipText(caption, CAPTION_LENGTH)),
    petName: petName && preventAutolinks(petName),
  };
}

function previewOf(photos: MailedPhoto[]): string {
  const words = photos.flatMap(({ caption, petName }) => caption ?? petName ?? []);
  return clipText([...new Set(words)].join(' · ') || (photos[0]?.when ?? ''), PREVIEW_LENGTH);
}
