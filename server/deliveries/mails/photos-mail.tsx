import { Heading, Img, Link, render, Section, Text, toPlainText } from '@react-email/components';
import { inertText } from './inert-text.ts';
import type { MailContent, MailedPhoto, MailLinks } from './mail-content.ts';
import { MailFrame } from './mail-frame.tsx';

export type PhotosMail = { ownerName: string; photos: MailedPhoto[]; links: MailLinks };

/** New photos, one or several. */
export async function renderPhotosMail(mail: PhotosMail): Promise<MailContent> {
  const html = await render(<Photos {...mail} />);
  return { subject: subjectOf(mail), html, text: toPlainText(html) };
}

function subjectOf({ ownerName, photos }: PhotosMail): string {
  const owner = inertText(ownerName);
  const [photo, ...others] = photos;
  if (others.length > 0) return `${owner} has shared ${photos.length} new photos`;
  const pet = photo?.petName ? ` of ${inertText(photo.petName)}` : '';
  return `${owner} has shared a new photo${pet}`;
}

function Photos(mail: PhotosMail) {
  const subject = subjectOf(mail);
  return (
    <MailFrame
      preview={subject}
      reason={`You get this because ${inertText(mail.ownerName)} added you to their album.`}
      links={mail.links}
    >
      <Heading as="h1">{subject}</Heading>
      {mail.photos.map((photo) => (
        <Section key={photo.cid}>
          <Link href={photo.url}>
            <Img
              src={`cid:${photo.cid}`}
              alt={altOf(photo)}
              width={photo.width}
              style={{ maxWidth: '100%', height: 'auto' }}
            />
          </Link>
          {photo.caption && <Text>{inertText(photo.caption)}</Text>}
          <Text>{[photo.petName && inertText(photo.petName), photo.when].filter(Boolean).join(' · ')}</Text>
          <Link href={photo.url}>View in browser</Link>
        </Section>
      ))}
    </MailFrame>
  );
}

function altOf({ caption, petName }: MailedPhoto): string {
  return inertText(caption || (petName ? `A photo of ${petName}` : 'A photo'));
}
