import { TRASH_DAYS } from '#shared/album/memory';
import { clipText } from '../../platform/email-templates/clip-text.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { rejectionMessage } from '../uploads/upload-rejection.ts';

const NAME_MAX_LENGTH = 40;
/** Twilio's limit. */
const SMS_MAX_LENGTH = 1600;

// Only characters of GSM-7, with straight quotes: any other switches the SMS to UCS-2, which more than doubles its cost.

export function replyToStranger(origin: string): string {
  return `We do not know this number yet. Verify it at ${origin}/phone-verification, then text your photos again.`;
}

export function replyOfAsleepAlbum(deletionDay: string, origin: string): string {
  return `This album is asleep, so nothing was added. It will be deleted on ${deletionDay}. To keep it, sign in at ${origin}/auth`;
}

export const NO_PHOTO =
  'There is no photo in this text. Send one with "PetName: Caption", or reply UNDO to take your last photos back.';

/** `unreachable`: all attempts failed for a reason that is not in the photo. `duplicate`: the album has it. */
type SmsRejectionReason = RejectionReason | 'unreachable' | 'duplicate';
export type SmsPhotoResult = { kind: 'completed' } | { kind: 'rejected'; reason: SmsRejectionReason };

/** Messages about several photos, where they differ from the message about one. */
const PLURALS: Partial<Record<SmsRejectionReason, (count: number, message: string) => string>> = {
  gone: (count) => `${count} photos could not be fetched. Please send them again.`,
  duplicate: () => 'We already have these photos.',
  unreachable: () => 'Something went wrong on our side. Please send them again.',
  'no-room': (count, message) =>
    message.replace('this photo', `${count} photos`).replace('send it', 'send them'),
  'too-slow': (count) => `${count} photos took too long to read. Please send smaller copies of them.`,
  'too-large': (count, message) => message.replace('This photo is', `${count} photos are`),
  'not-a-photo': (count, message) =>
    message.replace('This file is not a photo', `${count} files are not photos`),
};

export function replyToPhotos(
  results: readonly SmsPhotoResult[],
  { petName, hasPets, config }: { petName: string | null; hasPets: boolean; config: Pick<Config, 'limits'> },
): string {
  const reasons = results.flatMap((result) => (result.kind === 'rejected' ? [result.reason] : []));
  const added = results.length - reasons.length;
  const explanation = explain(reasons, config);
  if (added === 0)
    return clip(
      `${results.length === 1 ? 'Your photo was not added' : 'No photo was added'}. ${explanation}`,
    );
  const count = reasons.length > 0 ? `${added} of ${countPhotos(results.length)}` : countPhotos(added);
  const forPet = petName === null ? '' : ` for ${clipName(petName)}`;
  const undo = `UNDO to take ${added === 1 ? 'it' : 'them'} back.`;
  const sentences = [
    `Added ${count}${forPet}.`,
    explanation && `The ${reasons.length === 1 ? 'other' : 'others'}: ${explanation}`,
    petName === null && hasPets ? `Reply with a pet's name to say who it is, or ${undo}` : `Reply ${undo}`,
  ];
  return clip(sentences.filter(Boolean).join(' '));
}

/** To UNDO, or a pet's name, after photos that the album had before. */
export const PHOTOS_NOT_ADDED =
  'Your last photos were in your album before you sent them. Nothing was changed.';

/** To UNDO. `count` is null without photos to take back; `isRepeated`: an earlier UNDO took them back. */
export function replyToUndo(count: number | null, isRepeated: boolean): string {
  if (isRepeated) return 'Your last photos have already been taken back. They are in your trash.';
  if (count === null) return 'There are no photos from your texts to take back.';
  if (count === 0) return 'Your last photos are already in your trash.';
  return `Took back ${countPhotos(count)}. ${count === 1 ? 'It stays' : 'They stay'} in your trash for ${TRASH_DAYS} days.`;
}

/** To a pet's name. `moved` of `count` photos were not the pet's before; `count` is null when there are none to move. */
export function replyToMove(
  petName: string | null,
  { moved, count, isUndone }: { moved: number; count: number | null; isUndone: boolean },
): string {
  if (petName === null) return 'This pet is no longer in your album. Nothing was changed.';
  if (isUndone) return 'Your last photos were taken back. Send them again to add them.';
  if (count === null)
    return `There are no photos from your texts to move. Send one with "${clipName(petName)}: Caption".`;
  if (count === 0) return 'Your last photos are in your trash. Nothing was changed.';
  if (moved === 0)
    return clip(
      `Your last ${count === 1 ? 'photo is' : `${count} photos are`} for ${clipName(petName)} already.`,
    );
  return clip(`Moved ${countPhotos(moved)} to ${clipName(petName)}.`);
}

function explain(reasons: SmsRejectionReason[], config: Pick<Config, 'limits'>): string {
  const counts = new Map<SmsRejectionReason, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => {
      const message =
        reason === 'unreachable'
          ? 'Something went wrong on our side. Please send it again.'
          : reason === 'duplicate'
            ? 'We already have this photo.'
            : rejectionMessage(reason, config);
      return count > 1 ? (PLURALS[reason]?.(count, message) ?? message) : message;
    })
    .join(' ');
}

function countPhotos(count: number): string {
  return count === 1 ? '1 photo' : `${count} photos`;
}

function clipName(name: string): string {
  return clipText(name, NAME_MAX_LENGTH);
}

function clip(text: string): string {
  return clipText(text, SMS_MAX_LENGTH);
}
