import type { Config } from '../../../platform/config/config.ts';
import type { EmailOutcome } from '../../../platform/db/schema/transfers/inbound-emails.ts';
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
import { rejectionMessage } from '../../uploads/upload-rejection.ts';
import { EMAIL_MAX_PHOTOS } from '../parse/parse-email.ts';

const FOOT =
  'You get this because you emailed photos to an album on Mems Are Forever. To add them to a pet, start the subject with its name and a colon, like “Rex: At the beach”.';
const BUTTON = 'View the album';

/** The reply to emailed photos. `outcome` is null for an email that could not be parsed; only the owner gets a link. */
export function renderReplyEmail(
  { subject, outcome }: { subject: string; outcome: EmailOutcome | null },
  { origin, isOwner, config }: { origin: string; isOwner: boolean; config: Pick<Config, 'limits'> },
): EmailContent {
  const heading = headingOf(outcome);
  const lines = linesOf(outcome, config).map(preventAutolinks);
  const albumUrl = isOwner && outcome && outcome.added > 0 ? `${origin}/gallery` : null;
  const clippedSubject = clipText(preventAutolinks(subject), 200);
  return renderEmail(
    clippedSubject ? `Re: ${clippedSubject}` : heading,
    <EmailLayout title={heading} preview={[heading, ...lines].join(' ')} footer={<Aside>{FOOT}</Aside>}>
      <EmailHeading>
        <UserText>{heading}</UserText>
      </EmailHeading>
      {lines.map((line) => (
        <Paragraph key={line}>
          <UserText>{line}</UserText>
        </Paragraph>
      ))}
      {albumUrl && <MainButton href={albumUrl}>{BUTTON}</MainButton>}
    </EmailLayout>,
    [heading, ...lines, albumUrl !== null && `${BUTTON}: ${albumUrl}`, FOOT],
  );
}

function headingOf(outcome: EmailOutcome | null): string {
  if (!outcome) return 'We could not read your email.';
  const { added, repeated, petName } = outcome;
  if (added === 0 && repeated > 0)
    return `We already have ${repeated === 1 ? 'this photo' : 'these photos'}.`;
  if (added === 0) return 'No photo was added.';
  return `${count(added, 'photo')} added${petName ? ` to ${preventAutolinks(petName)}’s memories` : ''}.`;
}

function linesOf(outcome: EmailOutcome | null, config: Pick<Config, 'limits'>): string[] {
  if (!outcome) return ['It is too large, or has too many parts. Please send fewer photos at a time.'];
  // An older process that still runs during an upgrade stores an outcome without rejections.
  const { added, repeated, rejections = [], leftOut, logos = 0, otherFiles, isEncrypted } = outcome;
  const photos = added + repeated + rejections.length;
  return [
    ...(added > 0 && repeated > 0
      ? [`${count(repeated, 'photo')} ${repeated === 1 ? 'was' : 'were'} already in the album.`]
      : []),
    ...explain(rejections, config),
    ...(leftOut > 0
      ? [
          `We take ${EMAIL_MAX_PHOTOS} photos from one email. ${leftOut} more ${leftOut === 1 ? 'was left out. Please send it' : 'were left out. Please send them'} again.`,
        ]
      : []),
    ...(logos > 0
      ? [
          `${count(logos, 'picture')} in the text ${logos === 1 ? 'looks like a logo and was' : 'look like logos and were'} left out. To add ${logos === 1 ? 'it' : 'them'}, attach ${logos === 1 ? 'it' : 'them'} to an email.`,
        ]
      : []),
    ...(isEncrypted ? ['It is encrypted, so we could not open it. Please send it without encryption.'] : []),
    ...(otherFiles > 0
      ? [
          `${count(otherFiles, 'attachment')} could not be added: only photos can (JPEG, PNG, WebP, AVIF, GIF or HEIC).`,
        ]
      : []),
    ...(photos === 0 && otherFiles === 0 && logos === 0 && !isEncrypted
      ? ['There was no photo attached.']
      : []),
  ];
}

function explain(rejections: EmailOutcome['rejections'], config: Pick<Config, 'limits'>): string[] {
  return [...new Set(rejections)].map((reason) => {
    const photos = rejections.filter((each) => each === reason).length;
    return `${count(photos, 'photo')} could not be added: ${rejectionMessage(reason, config)}`;
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
