import * as z from 'zod';
import { CaricatureGeneratorName, CaricatureStyle } from '#shared/album/caricature';
import { ContactRelationship } from '#shared/album/contact';
import { MemorySource } from '#shared/album/memory';
import { PetSpecies } from '#shared/album/pet';
import { DateSource } from '#shared/dates/date-source';

/**
 * The content of data.json, for programs. A reader ignores fields that it does not know and rejects a higher version, which
 * changes or removes a field; a new optional field does not need one.
 */
export const EXPORT_FORMAT = 'mems-are-forever-export';
export const EXPORT_VERSION = 1;

const id = z.uuid();
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const pixels = z.int().nonnegative();

const ExportedFile = z.object({
  path: z.string().describe('In the zip, or in one of its parts'),
  contentType: z.string(),
  byteSize: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.int().describe('In pixels, upright'),
  height: z.int(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

const ExportedUser = z.object({
  username: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string(),
  phoneNumber: z.string().nullable().describe('E.164'),
  timeZone: z.string().nullable().describe('IANA'),
  allowedSenders: z.array(z.string()).describe('Email addresses that may send photos'),
  createdAt: z.iso.datetime(),
});

const ExportedPet = z.object({
  id,
  name: z.string(),
  species: z.enum(PetSpecies.options),
  breed: z.string().nullable(),
  age: z.string().nullable(),
  weight: z.string().nullable(),
  birthdayOrGotchaDay: day.nullable(),
  description: z.string().nullable(),
  createdAt: z.iso.datetime(),
  picture: ExportedFile.nullable(),
  pictureOriginal: ExportedFile.nullish().describe('The photo that the picture was cropped from'),
  pictureCrop: z
    .object({ left: pixels, top: pixels, size: pixels.positive(), width: pixels, height: pixels })
    .nullish()
    .describe('The square of pictureOriginal, in pixels, upright'),
});

const ExportedMemory = z.object({
  id,
  petId: id.nullable(),
  caption: z.string().nullable(),
  tags: z.array(z.string()),
  isLiked: z.boolean(),
  memoryDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/)
    .nullable()
    .describe('Without a time zone'),
  dateSource: z.enum(DateSource.options).nullish().describe('What the memoryDate comes from'),
  isDismissed: z.boolean().nullish().describe('Not to be the photo of the day'),
  addedDay: day,
  source: z.enum(MemorySource.options),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable().describe('When it was moved to the trash'),
  file: ExportedFile,
});

const ExportedContact = z.object({
  id,
  name: z.string(),
  email: z.string(),
  relationship: z.enum(ContactRelationship.options).nullable(),
  isActive: z.boolean(),
  frequency: z.enum(['every', 'weekly']),
  mutedPetIds: z.array(id),
  unsubscribedAt: z.iso.datetime().nullable().describe('By the contact, who must not get emails again'),
  createdAt: z.iso.datetime(),
});

const ExportedCaricature = z.object({
  id,
  petId: id.nullable(),
  memoryId: id.nullable().describe('The memory that it was made of'),
  savedMemoryId: id.nullable().describe('The memory that it was saved as'),
  style: z.enum(CaricatureStyle.options),
  artist: z.enum(CaricatureGeneratorName.options),
  createdAt: z.iso.datetime(),
  file: ExportedFile,
});

export const ExportData = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  exportedAt: z.iso.datetime(),
  user: ExportedUser,
  pets: z.array(ExportedPet),
  memories: z.array(ExportedMemory),
  contacts: z.array(ExportedContact),
  caricatures: z.array(ExportedCaricature),
});
export type ExportData = z.infer<typeof ExportData>;

/** The lists of data.json. */
export const EXPORT_LISTS = ['pets', 'memories', 'contacts', 'caricatures'] as const;
export type ExportListName = (typeof EXPORT_LISTS)[number];

/** Unknown fields are allowed, since a later release may add some. */
export function exportJsonSchema(): object {
  return { title: 'Mems Are Forever: an exported album', ...z.toJSONSchema(ExportData, { io: 'input' }) };
}
