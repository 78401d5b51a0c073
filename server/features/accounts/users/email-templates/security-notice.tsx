import { preventAutolinks } from '../../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  ButtonAndLink,
  EmailHeading,
  EmailLayout,
  Greeting,
  greetingText,
  Paragraph,
} from '../../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../../platform/email-templates/render-email.ts';

const NEW_PASSWORD =
  'If it was you, there is nothing to do. If not, open this link within 48 hours: it signs out every device, removes all passkeys and connected sign-ins, and an authenticator app set up in the last days, and you choose a new password.';
const UNDO =
  'If it was you, there is nothing to do. If not, undo it within 48 hours: this address will be yours again, every device is signed out, and you choose a new password. Passkeys, connected sign-ins and an authenticator app set up in the last days are removed.';

/** `{email}` is the other address. `link` is where the button leads. */
const TEXTS = {
  'new-device': {
    subject: 'New sign-in to your album',
    text: 'Someone, hopefully you, signed in on a device that we did not know.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'password-changed': {
    subject: 'Your password was changed',
    text: 'Your password was changed.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'reset-link-used': {
    subject: 'Your password was changed by a link',
    text: 'Your password was changed by the link that the person who runs this album made for you.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'phone-changed': {
    subject: 'Your phone number was changed',
    text: 'A new phone number was added to your account. Photos texted from it go to your album.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'phone-removed': {
    subject: 'Your phone number was removed',
    text: 'Your phone number was removed from your account, or someone proved that it is theirs now.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'allowed-senders-changed': {
    subject: 'Who may send you photos was changed',
    text: 'The list of people who may send photos to your album by email was changed.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'inbound-address-changed': {
    subject: 'Your address for photos was replaced',
    text: 'Your album has a new address for photos by email. The old one no longer works.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'account-secured': {
    subject: 'Every device was signed out',
    text: 'You told us that it was not you, so every device was signed out, and the old password no longer works.',
    advice: 'Please choose a new password, if you have not done so yet.',
    button: 'Choose a new password',
  },
  'identity-joined': {
    subject: 'Another way to sign in was connected',
    text: 'An account at another service was connected to your album, and can sign you in from now on.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'identity-removed': {
    subject: 'A way to sign in was disconnected',
    text: 'An account at another service was disconnected from your album, and no longer signs you in.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'confirm-email': {
    subject: 'Confirm your new email address',
    text: 'Please confirm that this address is yours. You will sign in with it from then on.',
    advice:
      'The link works once, for 24 hours. If you did not ask for it, ignore this email. Nothing will change.',
    button: 'Confirm my new address',
  },
  'email-change-requested': {
    subject: 'Your email address is about to change',
    text: 'Someone, hopefully you, asked to change the email address of your account to {email}. It will change when that address is confirmed.',
    advice: UNDO,
    button: 'This was not me',
  },
  'email-changed': {
    subject: 'Your email address was changed',
    text: 'The email address of your account was changed to {email}.',
    advice: UNDO,
    button: 'This was not me',
  },
  'email-is-yours': {
    subject: 'This is your new email address',
    text: 'Your account has this email address now. It was {email} before. You sign in with the new one.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'email-change-undone': {
    subject: 'This is your email address again',
    text: 'The change of your email address was undone, and every device was signed out.',
    advice: 'Please choose a new password, if you have not done so yet: the old one no longer works.',
    button: 'Choose a new password',
  },
  'totp-on': {
    subject: 'Signing in now asks for a code',
    text: 'An authenticator app was set up for your account. After your password, you now enter a code from it.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'totp-off': {
    subject: 'Signing in no longer asks for a code',
    text: 'The authenticator app of your account was turned off. Your password alone opens your album now.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'totp-removed-by-administrator': {
    subject: 'Signing in no longer asks for a code',
    text: 'An administrator turned off the authenticator app of your account. Your password alone opens your album now.',
    advice: 'If you did not ask for it, choose a new password and set up your authenticator app again.',
    button: 'Choose a new password',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    text: 'Someone, hopefully you, signed in with your password and a recovery code. Your account shows how many are left.',
    advice: `${NEW_PASSWORD} Then renew your recovery codes.`,
    button: 'This was not me',
  },
  'recovery-codes-renewed': {
    subject: 'Your recovery codes were renewed',
    text: 'Your account has ten new recovery codes. The earlier ones no longer work.',
    advice: `${NEW_PASSWORD} Then renew your recovery codes.`,
    button: 'This was not me',
  },
  'passkey-added': {
    subject: 'A passkey was added',
    text: 'A new passkey can open your album without your password.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
  'passkey-removed': {
    subject: 'A passkey was removed',
    text: 'A passkey of your account was removed and no longer opens your album.',
    advice: NEW_PASSWORD,
    button: 'This was not me',
  },
};

export type Notice = keyof typeof TEXTS;
/** Whether its link secures the account. Those of an email change undo it. */
export const isDeniable = (notice: Notice) => TEXTS[notice].advice.includes(NEW_PASSWORD);
export const NOTICES = Object.keys(TEXTS) as [Notice, ...Notice[]];

interface SecurityNotice {
  /** Null for an address that is not verified. */
  name: string | null;
  /** Of the button's link. */
  url: string;
  /** `November 23, 2026 at 2:02 PM GMT+1` */
  when: string;
  /** `Firefox on Windows, 203.0.113.0/24`; null if it was no browser. */
  where: string | null;
  otherEmail: string | null;
}

export function renderSecurityNotice(
  notice: Notice,
  { name, url, when, where, otherEmail }: SecurityNotice,
): EmailContent {
  const { subject, text: pattern, advice, button } = TEXTS[notice];
  const text = pattern.replace('{email}', () => preventAutolinks(otherEmail ?? ''));
  const owner = name === null ? null : preventAutolinks(name);
  const facts = where ? `${when}, ${preventAutolinks(where)}` : when;
  return renderEmail(
    subject,
    <EmailLayout title={subject} preview={text} footer={<Aside>{advice}</Aside>}>
      <EmailHeading>{subject}</EmailHeading>
      <Greeting name={owner} />
      <Paragraph>{text}</Paragraph>
      <Paragraph>{facts}</Paragraph>
      <ButtonAndLink href={url}>{button}</ButtonAndLink>
    </EmailLayout>,
    [greetingText(owner), text, facts, `${button}: ${url}`, advice],
  );
}
