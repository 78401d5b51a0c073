import * as z from 'zod/mini';

/** How a caricature is drawn. */
export const CaricatureStyle = z.enum(['comic', 'watercolour', 'pencil', 'pop-art'], {
  error: 'Please choose a style from the list',
});
export type CaricatureStyle = z.infer<typeof CaricatureStyle>;

/** The styles as people read them, in the order in which they are offered; the first is drawn when none is chosen. */
export const CARICATURE_STYLE_NAMES: Record<CaricatureStyle, string> = {
  comic: 'Comic',
  // The API and stored rows keep the British value.
  watercolour: 'Watercolor',
  pencil: 'Pencil sketch',
  'pop-art': 'Pop art',
};

/** Who draws: OpenAI's image model, or the cartoon filter of our own. */
export const CaricatureGeneratorName = z.enum(['openai', 'local']);
export type CaricatureGeneratorName = z.infer<typeof CaricatureGeneratorName>;

export const CaricatureStatus = z.enum(['generating', 'completed', 'failed']);
export type CaricatureStatus = z.infer<typeof CaricatureStatus>;

/** Why there is no caricature. */
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

/** What happened, and what to do now: the second line of a failed card, and the toast unless the service is to blame. */
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

/** Whether it is for the service's sake that there is none: the same may well work a little later. */
export function isServiceFailure(reason: CaricatureFailureReason): boolean {
  return reason === 'unavailable' || reason === 'timed-out';
}

/** A photo of a pet made into a cartoon. */
export const Caricature = z.object({
  id: z.uuid(),
  /** Null once its pet is gone. */
  petId: z.nullable(z.uuid()),
  /** The memory whose photo it was drawn from; null once that is gone. */
  memoryId: z.nullable(z.uuid()),
  status: CaricatureStatus,
  style: CaricatureStyle,
  artist: CaricatureGeneratorName,
  /** Null unless it has failed. */
  failureReason: z.nullable(CaricatureFailureReason),
  /** `/objects/<id>`, like the next; add `?w=` with one of IMAGE_WIDTHS. Null once its memory is gone. */
  originalImageUrl: z.nullable(z.string()),
  /** Null until it is completed. */
  caricatureImageUrl: z.nullable(z.string()),
  /** Its public page, absolute; null while it is not shared. */
  shareUrl: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
});
export type Caricature = z.infer<typeof Caricature>;

/** With the rest of a file's name no more bytes than file systems take, of which a character needs up to four. */
const FILE_NAME_PET_LENGTH = 60;

/**
 * Under which name it is downloaded: without what no file's name may hold, and without what is not seen, such as
 * characters that turn the direction of writing around and so show another name than there is.
 */
export function caricatureFileName(petName = ''): string {
  const shown = petName
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cs}\p{Z}]+/gu, ' ')
    .replace(/\p{Cf}+/gu, '')
    // Begun by a dot it would be hidden.
    .replace(/^[. ]+/, '');
  const short = Array.from(shown).slice(0, FILE_NAME_PET_LENGTH).join('').trim();
  return `${short || 'Your Pet'}-caricature.png`;
}

/** Newest first. */
export const CaricatureList = z.array(Caricature);

/** POST /api/caricatures/generate: the photo is one of the pet's memories, named by its `/objects/<id>`. */
export const GenerateCaricatureRequest = z.object({
  petId: z.string({ error: 'The pet must be given by its id' }),
  imageUrl: z.string({ error: 'The photo must be given by its imageUrl' }),
  style: z._default(CaricatureStyle, 'comic'),
});
export type GenerateCaricatureRequest = z.input<typeof GenerateCaricatureRequest>;

/** The `code` of the 409 that POST /api/caricatures/generate answers while `consentNeeded`. */
export const CONSENT_NEEDED = 'consent-needed';

/** GET /api/caricatures/options */
export const CaricatureOptions = z.object({
  enabled: z.boolean(),
  /** Who draws the next one. */
  artist: CaricatureGeneratorName,
  styles: z.array(CaricatureStyle),
  /** How many more this account may make today, of how many a day; null when nothing limits them. */
  remaining: z.nullable(z.int()),
  limit: z.nullable(z.int()),
  /** To whom photos go, as people are told; null: to nobody, they are drawn here. */
  service: z.nullable(z.string()),
  /** Whether to ask, once, before the first photo goes to that service. */
  consentNeeded: z.boolean(),
});
export type CaricatureOptions = z.infer<typeof CaricatureOptions>;
