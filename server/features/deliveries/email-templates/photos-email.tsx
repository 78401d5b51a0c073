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
const MAX_CAPTION_BYTES = 4000;
const MAX_PREVIEW_LENGTH = 120;
const MAX_PREVIEW_BYTES = 500;
/** Gmail cuts the HTML at 102 KB, with the link to unsubscribe: https://github.com/hteumeuleu/email-bugs/issues/41. */
const MAX_HTML_BYTES = 100_000;
const DIGEST = 'All the photos of this week, together.';

/** Shortens the longest captions until the email is small enough, as many photos as it has. */
export function renderPhotosEmail(email: PhotosEmail): EmailContent {
  let maxCaptionBytes = MAX_CAPTION_BYTES;
  let content = render(email, maxCaptionBytes);
  while (Buffer.byteLength(content.html) > MAX_HTML_BYTES && maxCaptionBytes > 10) {
    maxCaptionBytes *= 0.7;
    content = render(email, maxCaptionBytes);
  }
  return content;
}

function render({ ownerName, photos, isDigest, links }: PhotosEmail, maxCaptionBytes: number): EmailContent {
  const owner = preventAutolinks(ownerName);
  const [first, ...others] = photos.map((photo) => toInert(photo, maxCaptionBytes)) as typeof photos;
  const all = [first, ...others];
  const pets = namePets(all);
  const news = `has shared ${others.length > 0 ? `${all.length} new photos` : 'a new photo'}${pets && ` of ${pets}`}`;
  const subject = `${owner} ${news}`;
  const isAlone = others.length === 0;
  return renderEmail(
    subject,
    <EmailLayout
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

/** Empty if it would not be true of all photos. */
function namePets(photos: EmailPhoto[]): string {
  const names = [...new Set(photos.map(({ petName }) => petName))];
  if (names.includes(null)) return '';
  const [others, shown] =
    names.length > MAX_NAMED_PETS
      ? [names.length - MAX_NAMED_PETS + 1, MAX_NAMED_PETS - 1]
      : [0, MAX_NAMED_PETS];
  const texts = names
    .slice(0, shown)
    .map((name) => (photos.length > 1 ? clipText(name ?? '', 60) : (name ?? '')));
  return listFormat.format(others > 0 ? [...texts, `${others} other pets`] : texts);
}

const MAX_NAMED_PETS = 3;
const listFormat = new Intl.ListFormat('en');

/** Email programs turn what looks like a URL into a link, also in user input. */
function toInert(photo: EmailPhoto, maxCaptionBytes: number): EmailPhoto {
  const { caption, petName } = photo;
  return {
    ...photo,
    caption: caption && preventAutolinks(clipText(caption, MAX_CAPTION_LENGTH, maxCaptionBytes)),
    petName: petName && preventAutolinks(petName),
  };
}

function previewText(photos: EmailPhoto[]): string {
  const texts = photos.flatMap(({ caption, petName }) => caption ?? petName ?? []);
  const text = [...new Set(texts)].join(' · ') || (photos[0]?.day ?? '');
  return clipText(text, MAX_PREVIEW_LENGTH, MAX_PREVIEW_BYTES);
}
