import * as z from 'zod/mini';

export const CaricatureStyle = z.enum(['comic', 'watercolour', 'pencil', 'pop-art'], {
  error: 'Please choose a style from the list',
});
export type CaricatureStyle = z.infer<typeof CaricatureStyle>;

export const CARICATURE_STYLE_NAMES: Record<CaricatureStyle, string> = {
  comic: 'Comic',
  // The API and stored rows keep the British value.
  watercolour: 'Watercolor',
  pencil: 'Pencil sketch',
  'pop-art': 'Pop art',
};

export const CaricatureGeneratorName = z.enum(['openai', 'local']);
export type CaricatureGeneratorName = z.infer<typeof CaricatureGeneratorName>;

export const CaricatureStatus = z.enum(['generating', 'completed', 'failed']);
export type CaricatureStatus = z.infer<typeof CaricatureStatus>;

export const CaricatureFailureReason = z.enum([
  'moderation',
  'no-credit',
  'bad-input',
  'bad-key',
  'unavailable',
  'timed-out',
  'no-consent',
  'album-full',
]);
export type CaricatureFailureReason = z.infer<typeof CaricatureFailureReason>;

/** Shown on a failed card and, unless `isServiceFailure`, in the toast. */
export const CARICATURE_FAILURE_MESSAGES: Record<CaricatureFailureReason, string> = {
  moderation: 'The AI service declined this photo. Please try another one.',
  'no-credit': 'The AI service has no credit left. Please tell the person who runs this site.',
  'bad-input': 'This photo could not be turned into a caricature. Please try another one.',
  'bad-key': 'The AI service is not set up correctly. Please tell the person who runs this site.',
  unavailable: 'The image generator could not be reached. Please try again in a few minutes.',
  'timed-out': 'This took too long. Please try again in a few minutes.',
  'no-consent':
    'Caricatures now come from an AI service, and your photo was not sent to it. Please try again and choose whether to send it.',
  'album-full': 'Your album is full. Delete some photos for good, then try again.',
};

/** Whether the generator was at fault: the same request may succeed later. */
export function isServiceFailure(reason: CaricatureFailureReason): boolean {
  return reason === 'unavailable' || reason === 'timed-out';
}

export const Caricature = z.object({
  id: z.uuid(),
  /** Null if the pet was deleted. */
  petId: z.nullable(z.uuid()),
  /** The memory of the original photo; null if it was purged. */
  memoryId: z.nullable(z.uuid()),
  status: CaricatureStatus,
  style: CaricatureStyle,
  artist: CaricatureGeneratorName,
  /** Null unless failed. */
  failureReason: z.nullable(CaricatureFailureReason),
  /** `/objects/<id>`; add `?w=` with one of IMAGE_WIDTHS. Null if the memory was purged. */
  originalImageUrl: z.nullable(z.string()),
  /** Like originalImageUrl; null unless completed. */
  caricatureImageUrl: z.nullable(z.string()),
  /** Absolute; null while not shared. */
  shareUrl: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Caricature = z.infer<typeof Caricature>;

/** File systems limit a name to 255 bytes; a character has up to four. */
const MAX_PET_NAME_LENGTH = 60;

/** Removes characters that file names cannot have, and invisible ones: bidi controls could disguise the extension. */
export function toCaricatureFileName(petName = ''): string {
  const allowed = petName
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    // A leading dot hides the file.
    .replace(/^[. ]+/, '');
  const short = Array.from(allowed).slice(0, MAX_PET_NAME_LENGTH).join('').trim();
  return `${short || 'Your Pet'}-caricature.png`;
}

export const CaricatureList = z.array(Caricature);

/** POST /api/caricatures/generate: `imageUrl` is that of one of the pet's memories. */
export const GenerateCaricatureRequest = z.object({
  petId: z.string({ error: 'The pet must be given by its id' }),
  imageUrl: z.string({ error: 'The photo must be given by its imageUrl' }),
  style: z._default(CaricatureStyle, 'comic'),
});
export type GenerateCaricatureRequest = z.input<typeof GenerateCaricatureRequest>;

/** The error code (409) of POST /api/caricatures/generate while `consentNeeded`. */
export const CONSENT_NEEDED = 'consent-needed';

export const CaricatureOptions = z.object({
  enabled: z.boolean(),
  artist: CaricatureGeneratorName,
  styles: z.array(CaricatureStyle),
  /** Caricatures left today, of `limit` a day; null without a limit. */
  remaining: z.nullable(z.int()),
  limit: z.nullable(z.int()),
  /** Display name of the outside service that receives the photos; null if they are not sent anywhere. */
  service: z.nullable(z.string()),
  /** Whether the user has to agree before the first photo is sent to that service. */
  consentNeeded: z.boolean(),
});
export type CaricatureOptions = z.infer<typeof CaricatureOptions>;
