import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Html,
  Preview,
  render,
  Text,
  toPlainText,
} from '@react-email/components';
import { inertText } from '../../deliveries/mails/inert-text.ts';
import type { MailContent } from '../../deliveries/mails/mail-content.ts';

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
export async function renderAccountMail(
  purpose: keyof typeof TEXTS,
  { name, url }: { name: string; url: string },
): Promise<MailContent> {
  const { subject, text, button, foot } = TEXTS[purpose];
  const html = await render(
    <Html lang="en">
      <Head />
      <Preview>{text}</Preview>
      <Body style={{ margin: 0, fontFamily: 'Georgia, serif' }}>
        <Container style={{ maxWidth: '600px', padding: '24px 16px' }}>
          <Heading as="h1">{subject}</Heading>
          <Text>Hello {inertText(name)},</Text>
          <Text>{text}</Text>
          <Button href={url}>{button}</Button>
          <Text>{foot}</Text>
        </Container>
      </Body>
    </Html>,
  );
  return { subject, html, text: toPlainText(html) };
}
