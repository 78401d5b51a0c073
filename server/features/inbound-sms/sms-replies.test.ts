import { describe, expect, it } from 'vitest';
import type { Config } from '../../platform/config/config.ts';
import { replyToMove, replyToPhotos, replyToUndo, type SmsPhotoResult } from './sms-replies.ts';

type Reason = Extract<SmsPhotoResult, { kind: 'rejected' }>['reason'];
const config = { limits: { storageBytesPerUser: 10 * 1024 ** 3 } as Config['limits'] };

function reply(created: number, ...reasons: Reason[]): string {
  const results: SmsPhotoResult[] = [
    ...Array.from({ length: created }, () => ({ kind: 'completed' as const })),
    ...reasons.map((reason) => ({ kind: 'rejected' as const, reason })),
  ];
  return replyToPhotos(results, { petName: 'Rex', hasPets: true, config });
}

describe('the reply to photos', () => {
  it('counts what was added', () => {
    expect(reply(1)).toBe('Added 1 photo for Rex. Reply UNDO to take it back.');
    expect(reply(3)).toBe('Added 3 photos for Rex. Reply UNDO to take them back.');
  });

  it('reports that none was added, with singular and plural', () => {
    expect(reply(0, 'video')).toBe('Your photo was not added. Videos cannot be added, only photos.');
    expect(reply(0, 'video', 'video')).toBe('No photo was added. Videos cannot be added, only photos.');
    expect(reply(0, 'gone', 'gone')).toBe(
      'No photo was added. 2 photos could not be fetched. Please send them again.',
    );
    expect(reply(0, 'unreachable', 'unreachable', 'unreachable')).toBe(
      'No photo was added. Something went wrong on our side. Please send them again.',
    );
    expect(reply(0, 'duplicate')).toBe('Your photo was not added. We already have this photo.');
    expect(reply(0, 'duplicate', 'duplicate')).toBe('No photo was added. We already have these photos.');
    expect(reply(0, 'video', 'gone')).toBe(
      'No photo was added. Videos cannot be added, only photos. This photo could not be fetched. Please send it again.',
    );
  });

  it('explains one rejection, several, and several for the same reason', () => {
    expect(reply(1, 'too-large')).toBe(
      'Added 1 of 2 photos for Rex. The other: This photo is larger than 10 MB. Reply UNDO to take it back.',
    );
    expect(reply(2, 'too-large', 'too-large')).toBe(
      'Added 2 of 4 photos for Rex. The others: 2 photos are larger than 10 MB. Reply UNDO to take them back.',
    );
    expect(reply(1, 'not-a-photo', 'not-a-photo')).toContain(
      'The others: 2 files are not photos we can read. ',
    );
  });
});

describe("the replies to UNDO and to a pet's name", () => {
  it('count zero, one and several', () => {
    expect([0, 1, 2].map((count) => replyToUndo(count, false))).toEqual([
      'Your last photos are already in your trash.',
      'Took back 1 photo. It stays in your trash for 30 days.',
      'Took back 2 photos. They stay in your trash for 30 days.',
    ]);
    const move = (moved: number, count: number) => replyToMove('Rex', { moved, count, isUndone: false });
    expect([move(0, 0), move(0, 1), move(0, 2), move(1, 2), move(2, 2)]).toEqual([
      'Your last photos are in your trash. Nothing was changed.',
      'Your last photo is for Rex already.',
      'Your last 2 photos are for Rex already.',
      'Moved 1 photo to Rex.',
      'Moved 2 photos to Rex.',
    ]);
  });
});
