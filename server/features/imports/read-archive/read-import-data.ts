import * as z from 'zod';
import { CreateContactRequest } from '#shared/album/contact';
import { CreatePetRequest, MAX_PETS } from '#shared/album/pet';
import { isCalendarDate, isMemoryDate, isTimeZone } from '#shared/dates/calendar-date';
import { TagsInput } from '#shared/text/tags';
import { isVisible } from '#shared/text/visible-text';
import { AllowedSenders } from '#shared/transfers/inbound-email';
import { MAX_BATCH_PHOTO_BYTES } from '#shared/transfers/upload';
import { isStorable } from '../../../platform/http/validate.ts';
import type { AlbumItem, AlbumSpool } from '../../exports/album-spool.ts';
import { EXPORT_FORMAT, EXPORT_LISTS, EXPORT_VERSION, ExportData } from '../../exports/export-format.ts';
import { ImportError, MAX_IMPORTED_CONTACTS } from '../import-error.ts';
import { splitJson, type JsonPart } from './split-json.ts';

/** 250 KB of text for each of 4000 photos. The temporary file with the items becomes as large. */
const MAX_DATA_BYTES = 1_000_000_000;
/** As in a request. */
const MAX_TEXT_LENGTH = 256 * 1024;
/** As large as a request may be, twice since texts may be escaped. */
const MAX_ITEM_LENGTH = 2 * MAX_TEXT_LENGTH;
/** Their ids and paths are in memory. */
const MAX_ITEMS = 300_000;
/** An export has no longer ones. */
const MAX_PATH_LENGTH = 1000;
const FILE = 'data.json';

/** Postgres and JavaScript agree on these. */
const Instant = z.iso.datetime().refine((text) => text >= '1900' && text < '2200');
const Text = z.string().max(MAX_TEXT_LENGTH);
const Day = z.string().refine(isCalendarDate);
/** Earlier releases accepted names in which nothing can be seen. */
const Name = z.string().transform((name) => (name === '' || isVisible(name) ? name : 'Unnamed'));
const { pets, memories, contacts, caricatures } = ExportData.shape;
const File = memories.element.shape.file.extend({
  path: z.string().max(MAX_PATH_LENGTH),
  byteSize: z.int().positive().max(MAX_BATCH_PHOTO_BYTES),
});

/** Stricter than the format: what an album accepts, too. */
const ITEMS = {
  pets: pets.element.extend({
    name: Name.refine((name) => CreatePetRequest.shape.name.safeParse(name).data === name),
    birthdayOrGotchaDay: Day.nullable(),
    createdAt: Instant,
    picture: File.nullable(),
    pictureOriginal: File.nullish(),
  }),
  memories: memories.element.extend({
    caption: Text.nullable(),
    tags: z.array(Text).transform((tags) => TagsInput.parse(tags)),
    memoryDate: z.string().refine(isMemoryDate).nullable(),
    addedDay: Day,
    createdAt: Instant,
    deletedAt: Instant.nullable(),
    file: File,
  }),
  contacts: contacts.element
    .extend({
      name: Name,
      createdAt: Instant,
      unsubscribedAt: Instant.nullable(),
      mutedPetIds: z
        .array(z.uuid())
        .max(MAX_PETS)
        .transform((ids) => [...new Set(ids)]),
    })
    .refine(({ name, email, relationship }) => {
      const { data } = CreateContactRequest.safeParse({ name, email, relationship });
      return data?.name === name && data.email === email;
    }),
  caricatures: caricatures.element.extend({ createdAt: Instant, file: File }),
};

export const ImportedUser = ExportData.shape.user
  .pick({ firstName: true, lastName: true, timeZone: true, allowedSenders: true })
  .extend({
    firstName: Text.nullable(),
    lastName: Text.nullable(),
    /** Null also for one that only the other system knows. */
    timeZone: Text.nullable().transform((name) => (name !== null && isTimeZone(name) ? name : null)),
    allowedSenders: z
      .array(z.string())
      .refine((addresses) => AllowedSenders.safeParse({ addresses }).success)
      .transform((addresses) => AllowedSenders.parse({ addresses }).addresses),
  });
export type ImportedUser = z.infer<typeof ImportedUser>;

/**
 * Checks the whole data and writes its items into the spool. Reads it twice, since the version may be at the end.
 * @throws ImportError
 */
export async function readImportData(
  read: () => AsyncIterable<Buffer>,
  spool: AlbumSpool,
): Promise<ImportedUser> {
  try {
    await checkVersion(splitJson(decode(read())));
    return await readItems(splitJson(decode(read())), spool);
  } catch (error) {
    if (isJsonError(error)) throw new ImportError('foreign', FILE, { cause: error });
    throw error;
  }
}

/** Not JSON, nested too deeply, or not UTF-8. */
function isJsonError(error: unknown): boolean {
  if (error instanceof SyntaxError || error instanceof RangeError) return true;
  return error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
}

async function checkVersion(parts: AsyncIterable<JsonPart>): Promise<void> {
  const head = new Map<string, unknown>();
  for await (const { key, isItem, text } of parts)
    if (!isItem && ['format', 'version'].includes(key)) head.set(key, JSON.parse(text));
  const version = head.get('version');
  if (head.get('format') !== EXPORT_FORMAT || !Number.isInteger(version))
    throw new ImportError('foreign', FILE);
  if (Number(version) > EXPORT_VERSION) throw new ImportError('newer-version', String(version));
  if (Number(version) < 1) throw new ImportError('foreign', FILE);
}

async function readItems(parts: AsyncIterable<JsonPart>, spool: AlbumSpool): Promise<ImportedUser> {
  let user: ImportedUser | null = null;
  const seen = new Set<string>();
  let itemCount = 0;
  let contactCount = 0;
  for await (const { key, isItem, text } of parts) {
    if (isItem !== EXPORT_LISTS.some((list) => list === key)) {
      if (EXPORT_LISTS.some((list) => list === key)) throw new ImportError('invalid-data', FILE);
      continue;
    }
    if (!isItem) {
      if (key === 'user') user = parsePart(ImportedUser, text);
      continue;
    }
    const list = key as keyof typeof ITEMS;
    if (++itemCount > MAX_ITEMS) throw new ImportError('invalid-data', FILE);
    if (list === 'contacts' && ++contactCount > MAX_IMPORTED_CONTACTS)
      throw new ImportError('too-many-contacts');
    const value = parsePart<AlbumItem['value']>(ITEMS[list], text);
    const names = [`${list} ${value.id}`, ...getPaths({ list, value } as AlbumItem)];
    if (names.some((name) => seen.has(name))) throw new ImportError('invalid-data', FILE);
    for (const name of names) seen.add(name);
    await spool.write({ list, value, image: null } as AlbumItem);
  }
  if (!user) throw new ImportError('foreign', FILE);
  return user;
}

/** @throws ImportError */
function parsePart<Output>(schema: z.ZodType<Output>, text: string): Output {
  const value: unknown = JSON.parse(text);
  const parsed = isStorable(value) ? schema.safeParse(value) : null;
  if (!parsed?.success || JSON.stringify(parsed.data).length > MAX_ITEM_LENGTH)
    throw new ImportError('invalid-data', FILE, { cause: parsed?.error });
  return parsed.data;
}

async function* decode(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let byteSize = 0;
  for await (const chunk of bytes) {
    byteSize += chunk.length;
    if (byteSize > MAX_DATA_BYTES) throw new ImportError('invalid-data', FILE);
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

export type ImportFile = { path: string; byteSize: number; sha256: string };

export function getFile(item: AlbumItem): ImportFile | null {
  if (item.list === 'contacts') return null;
  return item.list === 'pets' ? item.value.picture : item.value.file;
}

/** Also the photo that a pet's picture was cropped from, which is in the same part. */
export function getFiles(item: AlbumItem): ImportFile[] {
  const original = item.list === 'pets' ? item.value.pictureOriginal : null;
  return [getFile(item), original].flatMap((file) => file ?? []);
}

function getPaths(item: AlbumItem): string[] {
  return getFiles(item).map(({ path }) => `file ${path}`);
}
