import * as z from 'zod/mini';
import { isCalendarDate } from '../dates/calendar-date.ts';
import type { SquareCrop } from '../photos/square-crop.ts';
import { isVisible } from '../text/visible-text.ts';

export const PetSpecies = z.enum(['dog', 'cat', 'bird', 'fish', 'rabbit', 'hamster', 'other'], {
  error: (issue) => (issue.input ? 'Please choose a species from the list' : 'Species is required'),
});
export type PetSpecies = z.infer<typeof PetSpecies>;

export const Pet = z.object({
  id: z.uuid(),
  name: z.string(),
  species: PetSpecies,
  breed: z.nullable(z.string()),
  /** Free text, e.g. '2 years'. */
  age: z.nullable(z.string()),
  /** Free text, e.g. '15 lbs'. */
  weight: z.nullable(z.string()),
  birthdayOrGotchaDay: z.nullable(z.string()),
  description: z.nullable(z.string()),
  /** `/objects/<id>` of a square image; add `?w=` with one of IMAGE_WIDTHS. */
  profileImageUrl: z.nullable(z.string()),
  /** What that square was cropped from, in pixels of the upright original. Null if only the square is known. */
  profileImageCrop: z.nullable(
    z.object({
      originalUrl: z.string(),
      width: z.int(),
      height: z.int(),
      left: z.int(),
      top: z.int(),
      size: z.int(),
    }),
  ),
  createdAt: z.iso.datetime(),
});
export type Pet = z.infer<typeof Pet>;

export const PetList = z.array(Pet);

/** POST /api/pets/picture-proposal (multipart: the picture as profileImage), for a picture that is not stored yet. */
export const PictureProposal = z.object({
  /** Of the upright picture, in pixels. */
  width: z.int(),
  height: z.int(),
  left: z.int(),
  top: z.int(),
  size: z.int(),
  /** A data URL. Null unless it was asked for. */
  preview: z.nullable(z.string()),
});
export type PictureProposal = z.infer<typeof PictureProposal>;

/** `withPreview`: for a picture that the browser cannot decode. */
export const PictureProposalRequest = z.object({
  withPreview: z.optional(z.enum(['true', 'false', ''], { error: 'Please send true or false' })),
});

/** Every memory of a pet is found by its name. */
const PET_NAME_MAX_LENGTH = 100;
export const MAX_PETS = 500;

const name = z
  .string({ error: 'Pet name is required' })
  .check(
    z.trim(),
    z.refine(isVisible, { error: 'Pet name is required' }),
    z.maxLength(PET_NAME_MAX_LENGTH, { error: `Please use at most ${PET_NAME_MAX_LENGTH} characters` }),
  );

/** Absent leaves the field unchanged, an empty string clears it. */
function optionalText(error: string) {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error })),
      // Browsers send line breaks in forms as CR LF.
      z.transform((text) => text?.replaceAll('\r\n', '\n').trim() || null),
    ),
  );
}

const birthdayOrGotchaDay = optionalText('The date must be text').check(
  z.refine((day) => !day || isCalendarDate(day), {
    error: 'Please enter a valid date, like 2026-03-01',
  }),
);

/** 'left,top,size' in pixels of the upright picture. Absent or empty: proposed by the server. */
const profileImageCrop = z.optional(
  z.pipe(
    z.string().check(z.regex(/^(\d{1,6},\d{1,6},[1-9]\d{0,5})?$/, { error: 'Please send left,top,size' })),
    z.transform((text): SquareCrop | undefined => {
      if (text === '') return undefined;
      const [left = 0, top = 0, size = 0] = text.split(',').map(Number);
      return { left, top, size };
    }),
  ),
);

export function formatCrop({ left, top, size }: SquareCrop): string {
  return `${left},${top},${size}`;
}

const details = {
  breed: optionalText('The breed must be text'),
  age: optionalText('The age must be text'),
  weight: optionalText('The weight must be text'),
  birthdayOrGotchaDay,
  description: optionalText('The description must be text'),
  /** The file has this name. Browsers send an empty string if none was chosen. */
  profileImage: z.optional(z.literal('', { error: 'Please choose a picture file' })),
  profileImageCrop,
};

/** The text fields of POST /api/pets (multipart). */
export const CreatePetRequest = z.object({ name, species: PetSpecies, ...details });
export type CreatePetRequest = z.input<typeof CreatePetRequest>;

/** PATCH /api/pets/:id: absent fields are unchanged, empty ones are cleared. A crop without a file is of the stored original. */
export const UpdatePetRequest = z.object({
  name: z.optional(name),
  species: z.optional(PetSpecies),
  ...details,
  /** The stored image that a crop without a file is of. */
  croppedImageId: z.optional(z.union([z.uuid(), z.literal('')], { error: 'Please send the id of an image' })),
  removeProfileImage: z.optional(z.enum(['true', 'false', ''], { error: 'Please send true or false' })),
});
export type UpdatePetRequest = z.input<typeof UpdatePetRequest>;
