import { Body, Container, Head, Hr, Html, Link, Preview, Text } from '@react-email/components';
import type { ReactNode } from 'react';
import type { MailLinks } from './mail-content.ts';

interface MailFrameProps {
  /** What a list of mails shows beside the subject. */
  preview: string;
  /** Why this comes. */
  reason: string;
  links: MailLinks;
  children: ReactNode;
}

/** What every mail to a contact has in common: the paper, and the way to stop it at its foot. */
export function MailFrame({ preview, reason, links, children }: MailFrameProps) {
  return (
    <Html lang="en">
      <Head />
      <Preview>{preview}</Preview>
      <Body style={{ margin: 0, fontFamily: 'Georgia, serif' }}>
        <Container style={{ maxWidth: '600px', padding: '24px 16px' }}>
          {children}
          <Hr />
          <Text>
            {reason} <Link href={links.preferences}>Choose what you get</Link> or{' '}
            <Link href={links.stop}>stop these e-mails</Link>.
          </Text>
        </Container>
      </Body>
    </Html>
  );
}
