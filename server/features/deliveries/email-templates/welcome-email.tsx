import { preventAutolinks } from '../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  EmailHeading,
  EmailLayout,
  Paragraph,
  UserText,
} from '../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../platform/email-templates/render-email.ts';
import { ContactFooter, contactFooterText, type ContactLinks } from './contact-footer.tsx';

type WelcomeEmail = { ownerName: string; links: ContactLinks };

const INTRODUCTION =
  'keeps an album of their pets on Mems Are Forever, and would like you to see it grow. From now on you get an email with each new photo.';
const HOW_TO_STOP =
  'There is nothing to install and no account to create. If you would rather not get them, stop these emails with the link below.';

export function renderWelcomeEmail({ ownerName, links }: WelcomeEmail): EmailContent {
  const owner = preventAutolinks(ownerName);
  const subject = `${owner} added you`;
  return renderEmail(
    subject,
    <EmailLayout
      title={subject}
      preview="From now on you get the new photos of their pets by email."
      footer={<ContactFooter owner={owner} links={links} />}
    >
      <EmailHeading>
        <UserText>{owner}</UserText> added you
      </EmailHeading>
      <Paragraph>
        <UserText>{owner}</UserText> {INTRODUCTION}
      </Paragraph>
      <Aside>{HOW_TO_STOP}</Aside>
    </EmailLayout>,
    [subject, `${owner} ${INTRODUCTION}`, HOW_TO_STOP, contactFooterText(owner, links)],
  );
}
