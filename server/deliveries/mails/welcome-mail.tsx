import { Heading, render, Text, toPlainText } from '@react-email/components';
import { inertText } from './inert-text.ts';
import type { MailContent, MailLinks } from './mail-content.ts';
import { MailFrame } from './mail-frame.tsx';

export type WelcomeMail = { ownerName: string; links: MailLinks };

/** The first mail to a new contact. */
export async function renderWelcomeMail({ ownerName, links }: WelcomeMail): Promise<MailContent> {
  const owner = inertText(ownerName);
  const subject = `${owner} added you`;
  const html = await render(
    <MailFrame preview={subject} reason={`You get this because ${owner} added you.`} links={links}>
      <Heading as="h1">{subject}</Heading>
      <Text>
        {owner} keeps an album of their pets on Mems Are Forever. From now on you get an e-mail with each new
        photo. There is nothing to install and no account to make.
      </Text>
    </MailFrame>,
  );
  return { subject, html, text: toPlainText(html) };
}
