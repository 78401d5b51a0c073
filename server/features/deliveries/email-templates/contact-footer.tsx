import { Aside, QuietLink, UserText } from '../../../platform/email-templates/email-layout.tsx';

export type MailLinks = { stop: string; preferences: string };

/** At the foot of every mail to a contact: why it comes, and the way to change or stop it. */
export function ContactFooter({ owner, links }: { owner: string; links: MailLinks }) {
  return (
    <>
      <Aside>
        You get this because <UserText>{owner}</UserText> added you to their pet album on Mems Are Forever.
      </Aside>
      <Aside>
        <QuietLink href={links.preferences}>Choose what you get</QuietLink>
        {' \u00a0·\u00a0 '}
        <QuietLink href={links.stop}>Stop these emails</QuietLink>
      </Aside>
    </>
  );
}

export function contactFooterText(owner: string, links: MailLinks): string {
  return [
    '--',
    `You get this because ${owner} added you to their pet album on Mems Are Forever.`,
    `Choose what you get: ${links.preferences}`,
    `Stop these emails: ${links.stop}`,
  ].join('\n');
}
