import { inertText } from '../../mails/inert-text.ts';
import {
  Aside,
  MailHeading,
  MailLayout,
  MainButton,
  Paragraph,
  QuietLink,
  Words,
} from '../../mails/mail-layout.tsx';
import { renderMail, type MailContent } from '../../mails/render-mail.ts';

const TEXTS = {
  'verify-email': {
    subject: 'Is this your email address?',
    text: 'Please confirm that this address is yours. Then new photos go out to your contacts.',
    button: 'Confirm my address',
    foot: 'The link works once, for 24 hours. If you did not make an account, you need do nothing.',
  },
  'reset-password': {
    subject: 'Choose a new password',
    text: 'Somebody, hopefully you, asked for a new password.',
    button: 'Choose a new password',
    foot: 'The link works once, for one hour. If it was not you, you need do nothing: your password stays as it is.',
  },
};

/** Mail about an account to its owner. */
export function renderAccountMail(
  purpose: keyof typeof TEXTS,
  { name, url }: { name: string; url: string },
): MailContent {
  const { subject, text, button, foot } = TEXTS[purpose];
  const owner = inertText(name);
  return renderMail(
    subject,
    <MailLayout origin={new URL(url).origin} title={subject} preview={text} footer={<Aside>{foot}</Aside>}>
      <MailHeading>{subject}</MailHeading>
      <Paragraph>
        Hello <Words>{owner}</Words>,
      </Paragraph>
      <Paragraph>{text}</Paragraph>
      <MainButton href={url}>{button}</MainButton>
      <Aside>
        Should the button do nothing, open this address: <QuietLink href={url}>{url}</QuietLink>
      </Aside>
    </MailLayout>,
    [`Hello ${owner},`, text, `${button}: ${url}`, foot],
  );
}
