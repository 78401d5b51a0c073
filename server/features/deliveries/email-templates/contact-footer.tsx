import { Aside, QuietLink, UserText } from '../../../platform/email-templates/email-layout.tsx';

export type ContactLinks = { unsubscribe: string; preferences: string };

export function ContactFooter({ owner, links }: { owner: string; links: ContactLinks }) {
  return (
    <>
      <Aside>
        You get this because <UserText>{owner}</UserText> added you to their pet album on Mems Are Forever.
      </Aside>
      <Aside>
        <QuietLink href={links.preferences}>Choose what you get</QuietLink>
        {' \u00a0·\u00a0 '}
        <QuietLink href={links.unsubscribe}>Stop these emails</QuietLink>
      </Aside>
    </>
  );
}

export function contactFooterText(owner: string, links: ContactLinks): string {
  return [
    '--',
    `You get this because ${owner} added you to their pet album on Mems Are Forever.`,
    `Choose what you get: ${links.preferences}`,
    `Stop these emails: ${links.unsubscribe}`,
  ].join('\n');
}
