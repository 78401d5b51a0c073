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
import { ContactFooter, contactFooterText, type ContactLinks } from './contact-footer.tsx';
import { PhotoPrint, photoText, type EmailPhoto } from './photo-print.tsx';

export type PhotosEmail = {
  ownerName: string;
  photos: [EmailPhoto, ...EmailPhoto[]];
  /** A week's photos, for contacts with that preference. */
  isDigest: boolean;
  links: ContactLinks;
};

/** Captions are unlimited, emails are not. The photo's page in the browser has the whole caption. */
const MAX_CAPTION_LENGTH = 1000;
const MAX_PREVIEW_LENGTH = 120;
const DIGEST = 'All the photos of this week, together.';

export function renderPhotosEmail({ ownerName, photos, isDigest, links }: PhotosEmail): EmailContent {
  const owner = preventAutolinks(ownerName);
  const [first, ...others] = photos.map(toInert) as typeof photos;
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
      preview={previewText(all)}
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

/** Email programs turn what looks like a URL into a link, also in user input. */
function toInert(photo: EmailPhoto): EmailPhoto {
  const { caption, petName } = photo;
  return {
    ...photo,
    caption: caption && preventAutolinks(clipText(caption, MAX_CAPTION_LENGTH)),
    petName: petName && preventAutolinks(petName),
  };
}

function previewText(photos: EmailPhoto[]): string {
  const texts = photos.flatMap(({ caption, petName }) => caption ?? petName ?? []);
  return clipText([...new Set(texts)].join(' · ') || (photos[0]?.day ?? ''), MAX_PREVIEW_LENGTH);
}
