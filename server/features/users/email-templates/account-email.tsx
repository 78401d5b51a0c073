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
    foot: 'The link works once, for 24 hours. If you did not create an account, ignore this email.',
  },
  'reset-password': {
    subject: 'Choose a new password',
    text: 'Someone, hopefully you, asked for a new password.',
    button: 'Choose a new password',
    foot: 'The link works once, for one hour. If it was not you, ignore this email. Your password stays the same.',
  },
};

export function renderAccountEmail(
  purpose: keyof typeof TEXTS,
  { name, url }: { name: string; url: string },
): EmailContent {
  const { subject, text, button, foot } = TEXTS[purpose];
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
    </EmailLayout>,
    [`Hello ${owner},`, text, `${button}: ${url}`, foot],
  );
}
