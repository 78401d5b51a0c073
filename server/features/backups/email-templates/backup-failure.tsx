import {
  Aside,
  EmailHeading,
  EmailLayout,
  Greeting,
  greetingText,
  MainButton,
  Paragraph,
} from '../../../platform/email-templates/email-layout.tsx';
import { preventAutolinks } from '../../../platform/email-templates/prevent-autolinks.ts';
import { renderEmail, type EmailContent } from '../../../platform/email-templates/render-email.ts';

const SUBJECT = 'The nightly backup failed';
const ADVICE = 'It is tried again every hour, and this email comes once a day until it succeeds.';

/** `lastBackup`: like `November 23, 2026 at 3:00 AM`; null if there is none. */
export function renderBackupFailure(failure: {
  name: string;
  url: string;
  reason: string;
  lastBackup: string | null;
}): EmailContent {
  const name = preventAutolinks(failure.name);
  const reason = preventAutolinks(failure.reason);
  const last = failure.lastBackup
    ? `The last complete backup is of ${failure.lastBackup}.`
    : 'There is no complete backup yet.';
  return renderEmail(
    SUBJECT,
    <EmailLayout title={SUBJECT} preview={last} footer={<Aside>{ADVICE}</Aside>}>
      <EmailHeading>{SUBJECT}</EmailHeading>
      <Greeting name={name} />
      <Paragraph>The albums could not be backed up: {reason}</Paragraph>
      <Paragraph>{last}</Paragraph>
      <MainButton href={failure.url}>Open the page for administrators</MainButton>
    </EmailLayout>,
    [
      greetingText(name),
      `The albums could not be backed up: ${reason}`,
      last,
      `Open the page for administrators: ${failure.url}`,
      ADVICE,
    ],
  );
}
