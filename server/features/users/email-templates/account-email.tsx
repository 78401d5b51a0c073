import { preventAutolinks } from '../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  EmailHeading,
  EmailLayout,
  MainButton,
  Paragraph,
  QuietLink,
  UserText,
} from '../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../platform/email-templates/render-email.ts';

const TEXTS = {
  'verify-email': {
    subject: 'Is this your email address?',
    text: 'Please confirm that this address is yours, so that your contacts get your new photos.',
    button: 'Confirm my address',
    foot: 'The link works once, for 24 hours.',
  },
  'deletion-warning': {
    subject: 'Confirm your address to keep your album',
    text: 'You have not confirmed this address yet. Please do, or your album and its photos will be deleted.',
    button: 'Confirm my address',
    foot: 'The link works once, for 24 hours. You can request another one in your account.',
  },
  'reset-password': {
    subject: 'Choose a new password',
    text: 'Someone, hopefully you, asked for a new password.',
    button: 'Choose a new password',
    foot: 'The link works once, for one hour. If it was not you, ignore this email. Your password stays the same.',
  },
  'start-again': {
    subject: 'Start your album',
    text: 'Someone, hopefully you, wants to start an album with this address. There is one already that was never confirmed. Open the link to make it yours, or to start with an empty one.',
    button: 'Start your album',
    foot: 'The link works once, for 24 hours. If it was not you, ignore this email. Nothing will change.',
  },
};

const DISOWN = 'This was not me';

export function renderAccountEmail(
  purpose: keyof typeof TEXTS,
  {
    name,
    url,
    disownUrl,
    deletionDay,
  }: {
    name: string;
    url: string;
    /** Deletes an account that the recipient did not create. */
    disownUrl: string | null;
    deletionDay: string | null;
  },
): EmailContent {
  const { subject, text: start, button, foot } = TEXTS[purpose];
  const text = purpose === 'deletion-warning' ? `${start} That will be on ${deletionDay}.` : start;
  const owner = preventAutolinks(name);
  return renderEmail(
    subject,
    <EmailLayout origin={new URL(url).origin} title={subject} preview={text} footer={<Aside>{foot}</Aside>}>
      <EmailHeading>{subject}</EmailHeading>
      <Paragraph>
        Hello <UserText>{owner}</UserText>,
      </Paragraph>
      <Paragraph>{text}</Paragraph>
      <MainButton href={url}>{button}</MainButton>
      <Aside>
        If the button does not work, open this link: <QuietLink href={url}>{url}</QuietLink>
      </Aside>
      {disownUrl && (
        <Aside>
          You did not create this account? <QuietLink href={disownUrl}>{DISOWN}</QuietLink>
        </Aside>
      )}
    </EmailLayout>,
    [
      `Hello ${owner},`,
      text,
      `${button}: ${url}`,
      foot,
      ...(disownUrl ? [`You did not create this account? ${DISOWN}: ${disownUrl}`] : []),
    ],
  );
}
