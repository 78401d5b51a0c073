import { Img } from '@react-email/img';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { Fragment } from 'react';
import { clipText } from '../../../platform/email-templates/clip-text.ts';
import { Aside, QuietLink, UserText } from '../../../platform/email-templates/email-layout.tsx';
import { FONTS, LIGHT } from '../../../platform/email-templates/email-styles.ts';

export type EmailPhoto = {
  cid: string;
  width: number;
  height: number;
  caption: string | null;
  petName: string | null;
  /** In the owner's time zone: `Sunday, March 1, 2026`. */
  day: string;
  /** The photo's public page. */
  url: string;
};

const MAX_WIDTH = 550;
const MAX_HEIGHT = 680;
/** The print's white border and its hairline, on both sides. */
const BORDER = 2 * (8 + 1);
/** A caption is as wide as its photo, but at least this wide. */
const MIN_CAPTION_WIDTH = 320;
const MAX_ALT_LENGTH = 150;

interface PhotoPrintProps {
  photo: EmailPhoto;
  /** The only photo: the email's button links to its page. */
  isAlone: boolean;
}

export function PhotoPrint({ photo, isAlone }: PhotoPrintProps) {
  const { cid, caption, petName, day, url } = photo;
  const { width, height } = printSize(photo);
  return (
    <Section style={{ marginBottom: '24px' }}>
      <table
        role="presentation"
        className="print"
        cellPadding="8"
        width={width + BORDER}
        style={{
          width: '100%',
          maxWidth: `${width + BORDER}px`,
          marginBottom: '14px',
          backgroundColor: LIGHT.print,
          border: `1px solid ${LIGHT.hairline}`,
          borderRadius: '3px',
          boxShadow: '0 1px 2px rgba(70,45,25,.16), 0 6px 16px -6px rgba(70,45,25,.26)',
        }}
      >
        <tbody>
          <tr>
            <td>
              <Link href={url}>
                <Img
                  className="well"
                  src={`cid:${cid}`}
                  alt={altText(photo)}
                  width={width}
                  height={height}
                  style={{
                    width: '100%',
                    height: 'auto',
                    // For the alt text, shown while images are blocked.
                    font: `italic 17px/26px ${FONTS.serif}`,
                    color: LIGHT.muted,
                    backgroundColor: LIGHT.well,
                  }}
                />
              </Link>
            </td>
          </tr>
        </tbody>
      </table>
      {caption && (
        <Text
          dir="auto"
          className="ink"
          style={{
            margin: '0 0 6px',
            maxWidth: `${Math.max(width + BORDER, MIN_CAPTION_WIDTH)}px`,
            color: LIGHT.ink,
            font: `20px/30px ${FONTS.serif}`,
            wordBreak: 'break-word',
          }}
        >
          {caption.split('\n').map((line, index) => (
            <Fragment key={index}>
              {index > 0 && <br />}
              {line}
            </Fragment>
          ))}
        </Text>
      )}
      <Aside>
        {petName && (
          <>
            <UserText>{petName}</UserText> ·{' '}
          </>
        )}
        {day}
        {!isAlone && (
          <>
            <br />
            <QuietLink href={url}>View in browser</QuietLink>
          </>
        )}
      </Aside>
    </Section>
  );
}

export function photoText({ caption, petName, day, url }: EmailPhoto): string {
  return [caption, [petName, day].filter(Boolean).join(' · '), `View in browser: ${url}`]
    .filter(Boolean)
    .join('\n');
}

function altText({ caption, petName, day }: EmailPhoto): string {
  return clipText(caption ?? [petName, day].filter(Boolean).join(', '), MAX_ALT_LENGTH);
}

function printSize({ width, height }: EmailPhoto): { width: number; height: number } {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
