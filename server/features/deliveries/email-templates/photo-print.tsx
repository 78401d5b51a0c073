import { Img } from '@react-email/img';
import { Link } from '@react-email/link';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { Fragment } from 'react';
import { clipText } from '../../../platform/email-templates/clip-text.ts';
import { Aside, QuietLink, UserText } from '../../../platform/email-templates/email-layout.tsx';
import { FONTS, LIGHT } from '../../../platform/email-templates/email-styles.ts';

/** A photo in a mail. */
export type MailedPhoto = {
  /** Names the picture within the mail. */
  cid: string;
  width: number;
  height: number;
  caption: string | null;
  petName: string | null;
  /** In words, in the owner's zone: `Sunday, March 1, 2026`. */
  when: string;
  /** The page of this one photo. */
  url: string;
};

const MOST_WIDTH = 550;
const MOST_HEIGHT = 680;
/** On both sides: the print's white border, and the hairline around it. */
const BORDER = 2 * (8 + 1);
/** A caption is as wide as its photo, but for a very narrow one. */
const LEAST_LINE = 320;
const ALT_LENGTH = 150;

interface PhotoPrintProps {
  photo: MailedPhoto;
  /** Then the mail's button leads to its page. */
  isAlone: boolean;
}

/** A photo as a print on the album's paper, with what is written below it. */
export function PhotoPrint({ photo, isAlone }: PhotoPrintProps) {
  const { cid, caption, petName, when, url } = photo;
  const { width, height } = sizeOnPaper(photo);
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
                  className="well display"
                  src={`cid:${cid}`}
                  alt={altOf(photo)}
                  width={width}
                  height={height}
                  style={{
                    width: '100%',
                    height: 'auto',
                    // Of the words that stand in for a picture which is not shown.
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
          className="ink display"
          style={{
            margin: '0 0 6px',
            maxWidth: `${Math.max(width + BORDER, LEAST_LINE)}px`,
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
        {when}
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

/** The same for whoever reads plain text. */
export function photoText({ caption, petName, when, url }: MailedPhoto): string {
  return [caption, [petName, when].filter(Boolean).join(' · '), `View in browser: ${url}`]
    .filter(Boolean)
    .join('\n');
}

function altOf({ caption, petName, when }: MailedPhoto): string {
  return clipText(caption ?? [petName, when].filter(Boolean).join(', '), ALT_LENGTH);
}

function sizeOnPaper({ width, height }: MailedPhoto): { width: number; height: number } {
  const scale = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
