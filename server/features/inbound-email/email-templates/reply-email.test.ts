import { describe, expect, it } from 'vitest';
import type { Config } from '../../../platform/config/config.ts';
import type { EmailOutcome } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import { renderReplyEmail } from './reply-email.tsx';

const config = { limits: { storageBytesPerUser: 10 * 1024 ** 3 } as Config['limits'] };

const NOTHING: EmailOutcome = {
  petName: null,
  added: 0,
  repeated: 0,
  rejections: [],
  leftOut: 0,
  otherFiles: 0,
  isEncrypted: false,
};

function replyTo(outcome: Partial<EmailOutcome>): string {
  const email = { subject: '', outcome: { ...NOTHING, ...outcome } };
  return renderReplyEmail(email, { origin: 'https://mems.example', isOwner: true, config }).text;
}

describe('the reply to an email', () => {
  it.each([
    [{ repeated: 1 }, 'We already have this photo.'],
    [{ repeated: 2 }, 'We already have these photos.'],
    [{ added: 1, repeated: 1 }, '1 photo was already in the album.'],
    [{ added: 1, repeated: 2 }, '2 photos were already in the album.'],
    [
      { logos: 1 },
      '1 picture in the text looks like a logo and was left out. To add it, attach it to an email.',
    ],
    [
      { logos: 2 },
      '2 pictures in the text look like logos and were left out. To add them, attach them to an email.',
    ],
    [{ added: 40, leftOut: 1 }, '1 more was left out. Please send it again.'],
    [{ added: 40, leftOut: 2 }, '2 more were left out. Please send them again.'],
  ])('has a singular and a plural: %j', (outcome, sentence) => {
    expect(replyTo(outcome)).toContain(sentence);
  });
});
