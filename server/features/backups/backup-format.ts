import * as z from 'zod';
import { OBJECT_KEY } from '../../platform/object-storage/object-storage.ts';

/** To be incremented when older releases cannot read a backup. */
export const FORMAT_VERSION = 1;
const FORMAT = 'mems-are-forever backup';

/**
 * A backup is a tar: the header, the session secret if the app generated it, each table in parts, the objects, each
 * thousand followed by its list, and the manifest. In a nightly backup, the objects are in a folder beside it.
 */
export const ENTRIES = {
  header: 'backup.json',
  sessionSecret: 'secrets/session',
  table: (name: string, part: number) => `tables/${name}/${part}`,
  object: (key: string) => `objects/${key}`,
  objectList: (part: number) => `object-lists/${part}`,
  manifest: 'manifest.json',
} as const;

export const OBJECTS_PER_LIST = 1000;
export const TABLE_PART_BYTES = 1024 * 1024;
/** Of an entry that is read as a whole. */
export const MAX_SMALL_ENTRY_BYTES = 16 * 1024 * 1024;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** The part of the header that no version changes. */
export const AnyHeader = z.object({ format: z.literal(FORMAT), version: z.int(), release: z.string() });

export const BackupHeader = z.object({
  format: z.literal(FORMAT).default(FORMAT),
  version: z.literal(FORMAT_VERSION).default(FORMAT_VERSION),
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  release: z.string(),
  postgres: z.string(),
  /** The last migration of its schema, by the time that identifies it. */
  migration: z.object({ tag: z.string(), when: z.int() }),
  /** In this tar, or by hash in the folder `objects` beside it. */
  objects: z.enum(['inside', 'beside']),
  sessionSecret: z.object({
    /** False: it was set as SESSION_SECRET. */
    isInside: z.boolean(),
    /** A keyed hash, to recognize the same secret. */
    fingerprint: z.string(),
  }),
});
export type BackupHeader = z.infer<typeof BackupHeader>;

/** One line of a list. `version` is the storage's. */
const ListedObject = z.object({
  key: z.string().regex(OBJECT_KEY),
  size: count,
  sha256: Sha256,
  version: z.string(),
});
export type ListedObject = z.infer<typeof ListedObject>;

export function toObjectList(objects: ListedObject[]): Buffer {
  return Buffer.from(objects.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

/** @throws if a line cannot be parsed */
export function parseObjectList(list: Buffer): ListedObject[] {
  const lines = list.toString('utf8').split('\n');
  if (lines.pop() !== '') throw new Error('A list of objects is damaged');
  return lines.map((line) => ListedObject.parse(JSON.parse(line)));
}

export const BackedUpTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: count,
  parts: count,
  bytes: count,
  sha256: Sha256,
});
export type BackedUpTable = z.infer<typeof BackedUpTable>;

export const Manifest = z.object({
  headerSha256: Sha256,
  /** In the order in which they can be loaded. */
  tables: z.array(BackedUpTable),
  /** `sha256` is of all lists one after the other. */
  objects: z.object({ count, bytes: count, lists: count, sha256: Sha256 }),
});
export type Manifest = z.infer<typeof Manifest>;
