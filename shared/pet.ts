import * as z from 'zod/mini';
import { isCalendarDate } from './calendar-date.ts';
import { isVisible } from './visible-text.ts';

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
  createdAt: z.iso.datetime(),
});
export type Pet = z.infer<typeof Pet>;

export const PetList = z.array(Pet);

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

const details = {
  breed: optionalText('The breed must be text'),
  age: optionalText('The age must be text'),
  weight: optionalText('The weight must be text'),
  birthdayOrGotchaDay,
  description: optionalText('The description must be text'),
  /** The file has this name. Browsers send an empty string if none was chosen. */
  profileImage: z.optional(z.literal('', { error: 'Please choose a picture file' })),
};

/** The text fields of POST /api/pets (multipart). */
export const CreatePetRequest = z.object({ name, species: PetSpecies, ...details });
export type CreatePetRequest = z.input<typeof CreatePetRequest>;

/** PATCH /api/pets/:id: absent fields are unchanged, empty ones are cleared. */
export const UpdatePetRequest = z.object({
  name: z.optional(name),
  species: z.optional(PetSpecies),
  ...details,
  removeProfileImage: z.optional(z.enum(['true', 'false', ''], { error: 'Please send true or false' })),
});
export type UpdatePetRequest = z.input<typeof UpdatePetRequest>;
