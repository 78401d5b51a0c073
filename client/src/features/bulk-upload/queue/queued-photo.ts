import type { SidecarDate } from '#shared/dates/date-source';
import { MAX_BATCH_PHOTO_BYTES } from '#shared/transfers/upload';

/** What an export of another service tells of a photo. */
export interface PhotoDetails {
  caption?: string;
  isLiked?: boolean;
  petId?: string;
  sidecarDate?: SidecarDate;
}

/** A photo that a person chose: a file, or an entry of a zip. `path` is in its folder, or the name alone. */
export interface ChosenFile {
  path: string;
  size: number;
  /** Milliseconds. */
  lastModified: number;
  /** A MIME type; empty if it is unknown. */
  type: string;
  read: () => Promise<Blob>;
  details?: PhotoDetails;
}

export function toChosenFile(file: File, path = file.name): ChosenFile {
  const { size, lastModified, type } = file;
  return { path, size, lastModified, type, read: () => Promise.resolve(file) };
}

/** `in-album`, `in-trash`: the same photo was there already, and was not added again. */
export type PhotoState = 'waiting' | 'added' | 'in-album' | 'in-trash' | 'failed';

/** As it is stored in the browser. The bytes are not: a reload needs the file again. */
export interface QueuedPhoto {
  id: number;
  ownerId: string;
  path: string;
  size: number;
  /** Milliseconds. With path and size it tells whether a file is the same. */
  lastModified: number;
  state: PhotoState;
  /** Null until it is hashed, and on pages without https. */
  sha256: string | null;
  /** Where its bytes are stored, or were being stored; null before. */
  uploadURL: string | null;
  memoryId: string | null;
  imageUrl: string | null;
  hasDate: boolean;
  /** Why it failed; null otherwise. */
  reason: string | null;
  canRetry: boolean;
  /** The album had no room for it. It is sent again when it is chosen again, not with the others. */
  isAlbumFull?: boolean;
  details: PhotoDetails;
}

export const UNREADABLE = 'This file cannot be read. It may have been moved or changed.';

const VIDEO = /\.(mp4|m4v|mov|avi|mkv|webm|3gp|mts|m2ts|wmv)$/i;
export const PHOTO = /\.(jpe?g|jfif|png|webp|avif|gif|heic|heif|tiff?|bmp|dng|svg)$/i;
/** Of operating systems; nobody chose them. */
const IGNORED = /(^|\/)(\.[^/]*|thumbs\.db|desktop\.ini|__MACOSX\/.*)$/i;

export function isIgnored({ path }: Pick<ChosenFile, 'path'>): boolean {
  return IGNORED.test(path);
}

/** Why it cannot become a memory, as far as the file tells without its bytes. Null if it may. */
export function findFault({ path, size, type }: Pick<ChosenFile, 'path' | 'size' | 'type'>): string | null {
  if (type.startsWith('video/') || VIDEO.test(path)) return 'Videos cannot be added, only photos.';
  if (/\.zip$/i.test(path)) return 'Zip files cannot be added. Please unpack it, and choose its folder.';
  if (!type.startsWith('image/') && !PHOTO.test(path)) return 'This file is not a photo.';
  if (size === 0) return 'This file is empty.';
  if (size > MAX_BATCH_PHOTO_BYTES)
    return `This photo is larger than ${MAX_BATCH_PHOTO_BYTES / 1024 ** 2} MB.`;
  return null;
}

export function toKey({
  path,
  size,
  lastModified,
}: Pick<QueuedPhoto, 'path' | 'size' | 'lastModified'>): string {
  return `${lastModified} ${size} ${path}`;
}

/**
 * The prefix of a shared photo's path, which no chosen file's path has. The photo's id follows it and makes the path unique:
 * share sheets call many photos `image.jpg`.
 */
export const SHARED_PREFIX = '//share-sheet/';

export function isShared({ path }: Pick<QueuedPhoto, 'path'>): boolean {
  return path.startsWith(SHARED_PREFIX);
}

/** As people know it: in its folder. */
export function shownPath(photo: Pick<QueuedPhoto, 'path'>): string {
  return isShared(photo) ? nameOf(photo) : photo.path;
}

export function nameOf({ path }: Pick<QueuedPhoto, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
