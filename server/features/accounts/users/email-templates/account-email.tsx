import { preventAutolinks } from '../../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  ButtonAndLink,
  EmailHeading,
  EmailLayout,
  Greeting,
  greetingText,
  Paragraph,
  QuietLink,
} from '../../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../../platform/email-templates/render-email.ts';

const RESET =
  'Once you choose it, every device is signed out, and passkeys and connected sign-ins are removed.';

const TEXTS = {
  'verify-email': {
    subject: 'Is this your email address?',
    text: 'Please confirm that this address is yours, so that your contacts get your new photos.',
    button: 'Confirm my address',
    foot: 'The link works once, for 24 hours.',
  },
  'deletion-warning': {
    subject: 'Confirm your address to keep your album',
    text: 'You have not confirmed this address yet. Please do, or your album and its photos will be deleted. That will be on {day}.',
    button: 'Confirm my address',
    foot: 'The link works once, for 24 hours. You can request another one in your account.',
  },
  'reset-password': {
    subject: 'Choose a new password',
    text: `Someone, hopefully you, asked for a new password. ${RESET}`,
    button: 'Choose a new password',
    foot: 'The link works once, for one hour. If it was not you, ignore this email. Your password stays the same.',
  },
  'reset-password-by-admin': {
    subject: 'Choose a new password',
    text: `The person who runs this album sent you this link for a new password. Only you can see it. ${RESET}`,
    button: 'Choose a new password',
    foot: 'The link works once, for one hour. If you did not ask for it, ignore this email. Your password stays the same.',
  },
  'reset-link-created': {
    subject: 'A link for a new password was made',
    text: 'The person who runs this album made a link with which you can choose a new password. If you did not ask for it, choose a new password yourself, right now. That ends the link, and signs everyone else out.',
    button: 'Choose a new password',
    foot: 'The link that was made works once, for one hour. If you asked for it, there is nothing to do.',
  },
  'start-again': {
    subject: 'Start your album',
    text: 'Someone, hopefully you, wants to start an album with this address. There is one already that was never confirmed. Open the link to make it yours, or to start with an empty one.',
    button: 'Start your album',
    foot: 'The link works once, for 24 hours. If it was not you, ignore this email. Nothing will change.',
  },
  'deletion-requested': {
    subject: 'Your album will be deleted',
    text: 'You asked us to delete your account. Your album is asleep now: your shared links are closed, and your contacts get no emails. On {day} it will be deleted for good, with all its photos. Changed your mind? Sign in before then, and everything is back.',
    button: 'Sign in to keep it',
    foot: 'If it was not you, sign in now and choose a new password.',
  },
  'deletion-requested-by-admin': {
    subject: 'Your album will be deleted',
    text: 'The person who runs this album asked us to delete your account. It is asleep now: your shared links are closed, and your contacts get no emails. On {day} it will be deleted for good, with all its photos. Sign in before then, and everything is back.',
    button: 'Sign in to keep it',
    foot: 'If you cannot sign in, ask the person who runs this album.',
  },
  'deletion-reminder': {
    subject: 'Your album will be deleted soon',
    text: 'Your album is asleep. On {day} it will be deleted for good, with all its photos. To keep it, sign in before then.',
    button: 'Sign in to keep it',
    foot: 'If you want it to be deleted, there is nothing to do.',
  },
  'deletion-cancelled': {
    subject: 'Your album is back',
    text: 'Welcome back. You signed in, so your album will not be deleted. Your shared links work again, and your contacts get your new photos.',
    button: 'This was not me',
    foot: 'If it was you, there is nothing to do. If not, choose a new password now: it signs out every device.',
  },
  'deletion-cancelled-by-admin': {
    subject: 'Your album is back',
    text: 'The person who runs this album brought it back, so it will not be deleted. Your shared links work again, and your contacts get your new photos.',
    button: 'Open my album',
    foot: 'If you still want it to be deleted, you can ask for that again in your account.',
  },
  'export-ready': {
    subject: 'Your export is ready',
    text: 'All your photos and their stories are packed, just as you added them. You can download them until {day}.',
    button: 'Go to my export',
    foot: 'We ask for your password before the download. If you did not ask for an export, choose a new password in your account.',
  },
};

const DISOWN = 'This was not me';

export function renderAccountEmail(
  purpose: keyof typeof TEXTS,
  {
    name,
    url,
    disownUrl,
    day,
  }: {
    /** Null for an address that is not verified. */
    name: string | null;
    url: string;
    /** Deletes an account that the recipient did not create. */
    disownUrl: string | null;
    /** Until then, or then. */
    day: string | null;
  },
): EmailContent {
  const { subject, text: pattern, button, foot } = TEXTS[purpose];
  const text = pattern.replace('{day}', day ?? '');
  const owner = name === null ? null : preventAutolinks(name);
  return renderEmail(
    subject,
    <EmailLayout title={subject} preview={text} footer={<Aside>{foot}</Aside>}>
      <EmailHeading>{subject}</EmailHeading>
      <Greeting name={owner} />
      <Paragraph>{text}</Paragraph>
      <ButtonAndLink href={url}>{button}</ButtonAndLink>
      {disownUrl && (
        <Aside>
          You did not create this account? <QuietLink href={disownUrl}>{DISOWN}</QuietLink>
        </Aside>
      )}
    </EmailLayout>,
    [
      greetingText(owner),
      text,
      `${button}: ${url}`,
      foot,
      ...(disownUrl ? [`You did not create this account? ${DISOWN}: ${disownUrl}`] : []),
    ],
  );
}
