import { describe, expect, it } from 'vitest';
import { UnsupportedImageError } from '../../platform/errors.ts';
import { PHOTO_TOO_LARGE } from '../uploads/upload-errors.ts';
import type { PhotoOutcome } from '../uploads/ingest-photo.ts';
import { REFUSALS, replyToMove, replyToPhotos, replyToUndo } from './sms-replies.ts';

const UNREADABLE = new UnsupportedImageError().message;

function outcomes(added: number, ...refusals: string[]): PhotoOutcome[] {
  return [
    ...Array.from({ length: added }, () => ({ status: 'added' as const, memoryId: null })),
    ...refusals.map((message) => ({ status: 'refused' as const, message })),
  ];
}
const reply = (added: number, ...refusals: string[]) =>
  replyToPhotos(outcomes(added, ...refusals), { petName: 'Rex', hasPets: true });

describe('the answer to photos', () => {
  it('counts what was added', () => {
    expect(reply(1)).toBe('Added 1 photo for Rex. Reply UNDO to take it back.');
    expect(reply(3)).toBe('Added 3 photos for Rex. Reply UNDO to take them back.');
  });

  it('says that none was added, of one as of several', () => {
    const { video, gone, unreachable } = REFUSALS;
    expect(reply(0, video)).toBe('Your photo was not added. Videos cannot be added, only photos.');
    expect(reply(0, video, video)).toBe('No photo was added. Videos cannot be added, only photos.');
    expect(reply(0, gone, gone)).toBe(
      'No photo was added. 2 photos could not be fetched. Please send them again.',
    );
    expect(reply(0, unreachable, unreachable, unreachable)).toBe(
      'No photo was added. Something went wrong on our side. Please send them again.',
    );
    expect(reply(0, video, gone)).toBe(
      'No photo was added. Videos cannot be added, only photos. This photo could not be fetched. Please send it again.',
    );
  });

  it('tells of one other, of several, and of several for the same reason', () => {
    expect(reply(1, PHOTO_TOO_LARGE)).toBe(
      'Added 1 of 2 photos for Rex. The other: This photo is larger than 10 MB. Reply UNDO to take it back.',
    );
    expect(reply(2, PHOTO_TOO_LARGE, PHOTO_TOO_LARGE)).toBe(
      'Added 2 of 4 photos for Rex. The others: 2 photos are larger than 10 MB. Reply UNDO to take them back.',
    );
    expect(reply(1, UNREADABLE, UNREADABLE)).toContain('The others: 2 files are not photos we can read. ');
  });
});

describe("the answers to UNDO and to a pet's name", () => {
  it('count none, one and several', () => {
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
