import { MAX_PETS } from '#shared/album/pet';

export const MAX_IMPORTED_CONTACTS = 1000;

/** Why a file cannot be imported. Trying again would not help. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  constructor(
    readonly reason: keyof typeof MESSAGES,
    readonly detail: string | null = null,
    options?: ErrorOptions,
  ) {
    super(detail === null ? reason : `${reason}: ${detail}`, options);
  }
}

const NOTHING_CHANGED = 'Nothing was changed.';

const MESSAGES = {
  'not-a-zip': () =>
    `This file is not a zip, or it is not complete. Please choose the zip that you downloaded. ${NOTHING_CHANGED}`,
  foreign: () => `This zip is not an export of Mems Are Forever. ${NOTHING_CHANGED}`,
  'newer-version': () =>
    `This export was made by a newer release of Mems Are Forever. Please update this one first. ${NOTHING_CHANGED}`,
  'no-data': () =>
    `This is a later part of an export, and only part 1 says what is in it. Please import part 1 first. ${NOTHING_CHANGED}`,
  'invalid-data': (detail: string) => `The export is damaged: ${detail} is not valid. ${NOTHING_CHANGED}`,
  'unsafe-path': (detail: string) =>
    `This zip is not safe: it has a file outside its own folder (${detail}). ${NOTHING_CHANGED}`,
  'not-a-file': (detail: string) =>
    `This zip is not safe: ${detail} is a link or a device, not a file. ${NOTHING_CHANGED}`,
  'compression-ratio': (detail: string) =>
    `This zip is not safe: ${detail} would become more than 200 times as large. ${NOTHING_CHANGED}`,
  'too-many-entries': () => `This zip is not safe: it has more than a million files. ${NOTHING_CHANGED}`,
  overlapping: () => `This zip is not safe: its files overlap. ${NOTHING_CHANGED}`,
  encrypted: (detail: string) =>
    `This zip is protected by a password (${detail}). Please choose the zip that you downloaded. ${NOTHING_CHANGED}`,
  damaged: (detail: string) =>
    `The export is damaged: ${detail} is not what it was. Please download it again. ${NOTHING_CHANGED}`,
  'too-many-pets': () => `An album has at most ${MAX_PETS} pets. ${NOTHING_CHANGED}`,
  'too-many-contacts': () => `An export has at most ${MAX_IMPORTED_CONTACTS} contacts. ${NOTHING_CHANGED}`,
  'album-full': () =>
    'There is not enough room in your album for these photos. Delete some for good, then import the file again.',
  'no-room': () =>
    'There is no room for more at the moment. Please tell the person who runs this album, and import the file again later.',
  interrupted: () =>
    'The import did not finish. Please import the file again: what is in your album already is not added twice.',
};

export function importMessage(reason: string | null, detail: string | null): string {
  const message = MESSAGES[(reason ?? 'interrupted') as keyof typeof MESSAGES] ?? MESSAGES.interrupted;
  return message(detail ?? 'a file');
}
