import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Hr } from '@react-email/hr';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { ReactNode } from 'react';
import { DARK_STYLES, FONTS, LIGHT } from './email-styles.ts';

interface EmailLayoutProps {
  title: string;
  preview: string;
  footer: ReactNode;
  children: ReactNode;
}

/** Old email clients need tables and inline colors. */
export function EmailLayout({ title, preview, footer, children }: EmailLayoutProps) {
  return (
    <Html lang="en">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        {/* Prevents links in names and captions. */}
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: DARK_STYLES }} />
      </Head>
      <Body className="paper" style={{ margin: 0, padding: 0, backgroundColor: LIGHT.paper }}>
        <Preview>{preview}</Preview>
        <Section className="paper" style={{ backgroundColor: LIGHT.paper }}>
          <Container style={{ maxWidth: '600px', padding: '28px 16px 36px' }}>
            <Text
              className="ink"
              style={{ margin: '0 0 8px', color: LIGHT.ink, font: `bold 17px/24px ${FONTS.serif}` }}
            >
              Mems Are Forever
            </Text>
            {children}
            <Hr className="hairline" style={{ borderColor: LIGHT.hairline, margin: '36px 0 16px' }} />
            {footer}
          </Container>
        </Section>
      </Body>
    </Html>
  );
}

export function EmailHeading({ children }: { children: ReactNode }) {
  return (
    <Heading
      as="h1"
      className="ink"
      style={{
        margin: '8px 0 20px',
        color: LIGHT.ink,
        font: `bold 28px/34px ${FONTS.serif}`,
        wordBreak: 'break-word',
      }}
    >
      {children}
    </Heading>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text
      className="ink"
      style={{
        margin: '0 0 16px',
        color: LIGHT.ink,
        font: `17px/27px ${FONTS.sans}`,
        wordBreak: 'break-word',
      }}
    >
      {children}
    </Text>
  );
}

const muted = {
  margin: '0 0 8px',
  color: LIGHT.muted,
  font: `15px/24px ${FONTS.sans}`,
  wordBreak: 'break-word',
} as const;

/** Null for an address that is not verified: its owner may be somebody else. */
export function Greeting({ name }: { name: string | null }) {
  return (
    <Paragraph>
      {name === null ? (
        'Hello,'
      ) : (
        <>
          Hello <UserText>{name}</UserText>,
        </>
      )}
    </Paragraph>
  );
}

export function greetingText(name: string | null): string {
  return name === null ? 'Hello,' : `Hello ${name},`;
}

export function Aside({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" style={muted}>
      {children}
    </Text>
  );
}

export function MainButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ marginBottom: '24px' }}>
      <Button
        href={href}
        className="button"
        style={{
          padding: '12px 28px',
          borderRadius: '24px',
          backgroundColor: LIGHT.accent,
          color: LIGHT.onAccent,
          font: `bold 17px/24px ${FONTS.sans}`,
        }}
      >
        {children}
      </Button>
    </Section>
  );
}

/** With its address in words below it, for email programs without buttons. */
export function ButtonAndLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <>
      <MainButton href={href}>{children}</MainButton>
      <Aside>
        If the button does not work, open this link: <QuietLink href={href}>{href}</QuietLink>
      </Aside>
    </>
  );
}

export function QuietLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="muted" style={{ color: LIGHT.muted, textDecoration: 'underline' }}>
      {children}
    </Link>
  );
}

/** A name or a caption, which may be in a right-to-left script. */
export function UserText({ children }: { children: string }) {
  return <span dir="auto">{children}</span>;
}
