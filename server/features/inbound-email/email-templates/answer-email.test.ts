import { describe, expect, it } from 'vitest';
import type { EmailOutcome } from '../../../platform/db/schema/inbound-emails.ts';
import { renderAnswerMail } from './answer-email.tsx';

const NOTHING: EmailOutcome = {
  petName: null,
  added: 0,
  repeated: 0,
  refusals: [],
  leftOut: 0,
  otherFiles: 0,
  isEncrypted: false,
};

function answerTo(outcome: Partial<EmailOutcome>): string {
  const mail = { subject: '', outcome: { ...NOTHING, ...outcome } };
  return renderAnswerMail(mail, { origin: 'https://mems.example', isOwner: true }).text;
}

describe('the answer to a mail', () => {
  it.each([
    [{ repeated: 1 }, 'We already have this photo.'],
    [{ repeated: 2 }, 'We already have these photos.'],
    [{ added: 1, repeated: 1 }, '1 photo was already in the album.'],
    [{ added: 1, repeated: 2 }, '2 photos were already in the album.'],
    [{ added: 40, leftOut: 1 }, '1 more was left out. Please send it again.'],
    [{ added: 40, leftOut: 2 }, '2 more were left out. Please send them again.'],
  ])('speaks of one photo as of one: %j', (outcome, words) => {
    expect(answerTo(outcome)).toContain(words);
  });
});
