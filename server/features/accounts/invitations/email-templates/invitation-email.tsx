import { preventAutolinks } from '../../../../platform/email-templates/prevent-autolinks.ts';
import {
  Aside,
  ButtonAndLink,
  EmailHeading,
  EmailLayout,
  Paragraph,
  UserText,
} from '../../../../platform/email-templates/email-layout.tsx';
import { renderEmail, type EmailContent } from '../../../../platform/email-templates/render-email.ts';

const SUBJECT = 'You are invited';
const TEXT = 'invites you to keep the photos of your pets in Mems Are Forever.';
const BUTTON = 'Create my account';
const FOOT = 'The link works once, for 14 days. If you do not know who sent it, ignore this email.';

export function renderInvitationEmail({ inviter, url }: { inviter: string; url: string }): EmailContent {
  const name = preventAutolinks(inviter);
  return renderEmail(
    SUBJECT,
    <EmailLayout title={SUBJECT} preview={`${name} ${TEXT}`} footer={<Aside>{FOOT}</Aside>}>
      <EmailHeading>{SUBJECT}</EmailHeading>
      <Paragraph>
        <UserText>{name}</UserText> {TEXT}
      </Paragraph>
      <ButtonAndLink href={url}>{BUTTON}</ButtonAndLink>
    </EmailLayout>,
    [`${name} ${TEXT}`, `${BUTTON}: ${url}`, FOOT],
  );
}
