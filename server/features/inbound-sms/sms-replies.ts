import { TRASH_DAYS } from '#shared/memory';
import { clipText } from '../../platform/email-templates/clip-text.ts';
import { UnsupportedImageError } from '../../platform/errors.ts';
import { PHOTO_TOO_LARGE } from '../uploads/upload-errors.ts';
import type { PhotoOutcome } from '../uploads/ingest-photo.ts';

const UNREADABLE = new UnsupportedImageError().message;

/** Longer ones are no names for a text. */
const NAME_LENGTH = 40;
/** What Twilio takes. */
const TEXT_LENGTH = 1600;

// Plain letters and straight quotes: with any other sign a text holds less than half as much, and costs twice.

/** To a number that is nobody's. */
export function replyToStranger(origin: string): string {
  return `We do not know this number yet. Verify it at ${origin}/phone-verification, then text your photos again.`;
}

/** To a text that brought neither a photo nor a word that we know. */
export const NO_PHOTO =
  'There is no photo in this text. Send one with "PetName: Caption", or reply UNDO to take your last photos back.';

export const MOST_PHOTOS = 10;

/** Why one photo was not added. */
export const REFUSALS = {
  video: 'Videos cannot be added, only photos.',
  tooMany: `One text adds at most ${MOST_PHOTOS} photos.`,
  gone: 'This photo could not be fetched. Please send it again.',
  unreachable: 'Something went wrong on our side. Please send it again.',
};

/** The same of several photos, where that reads differently. */
const PLURALS: Record<string, (count: number) => string> = {
  [REFUSALS.gone]: (count) => `${count} photos could not be fetched. Please send them again.`,
  [REFUSALS.unreachable]: () => 'Something went wrong on our side. Please send them again.',
  [PHOTO_TOO_LARGE]: (count) => PHOTO_TOO_LARGE.replace('This photo is', `${count} photos are`),
  [UNREADABLE]: (count) => UNREADABLE.replace('This file is not a photo', `${count} files are not photos`),
};

/** To photos. */
export function replyToPhotos(
  outcomes: readonly PhotoOutcome[],
  { petName, hasPets }: { petName: string | null; hasPets: boolean },
): string {
  const refusals = outcomes.filter((outcome) => outcome.status === 'refused').map(({ message }) => message);
  const added = outcomes.length - refusals.length;
  const reasons = reasonsIn(refusals);
  if (added === 0)
    return fit(`${outcomes.length === 1 ? 'Your photo was not added' : 'No photo was added'}. ${reasons}`);
  const howMany = refusals.length > 0 ? `${added} of ${photos(outcomes.length)}` : photos(added);
  const whose = petName === null ? '' : ` for ${named(petName)}`;
  const undo = `UNDO to take ${added === 1 ? 'it' : 'them'} back.`;
  const said = [
    `Added ${howMany}${whose}.`,
    reasons && `The ${refusals.length === 1 ? 'other' : 'others'}: ${reasons}`,
    petName === null && hasPets ? `Reply with a pet's name to say who it is, or ${undo}` : `Reply ${undo}`,
  ];
  return fit(said.filter(Boolean).join(' '));
}

/** To UNDO. `count` is null when there are no photos to take back; `isRepeated`: they were taken back before. */
export function replyToUndo(count: number | null, isRepeated: boolean): string {
  if (isRepeated) return 'Your last photos have already been taken back. They are in your trash.';
  if (count === null) return 'There are no photos from your texts to take back.';
  if (count === 0) return 'Your last photos are already in your trash.';
  return `Took back ${photos(count)}. ${count === 1 ? 'It stays' : 'They stay'} in your trash for ${TRASH_DAYS} days.`;
}

/** To a pet's name. `moved` of `count` photos were not the pet's before; `count` is null when there are none to move. */
export function replyToMove(
  petName: string | null,
  { moved, count, isUndone }: { moved: number; count: number | null; isUndone: boolean },
): string {
  if (petName === null) return 'This pet is no longer in your album. Nothing was changed.';
  if (isUndone) return 'Your last photos were taken back. Send them again to add them.';
  if (count === null)
    return `There are no photos from your texts to move. Send one with "${named(petName)}: Caption".`;
  if (count === 0) return 'Your last photos are in your trash. Nothing was changed.';
  if (moved === 0)
    return fit(
      `Your last ${count === 1 ? 'photo is' : `${count} photos are`} for ${named(petName)} already.`,
    );
  return fit(`Moved ${photos(moved)} to ${named(petName)}.`);
}

/** Each once. */
function reasonsIn(refusals: string[]): string {
  const counts = new Map<string, number>();
  for (const reason of refusals) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => (count > 1 ? (PLURALS[reason]?.(count) ?? reason) : reason))
    .join(' ');
}

function photos(count: number): string {
  return count === 1 ? '1 photo' : `${count} photos`;
}

function named(name: string): string {
  return clipText(name, NAME_LENGTH);
}

function fit(text: string): string {
  return clipText(text, TEXT_LENGTH);
}
