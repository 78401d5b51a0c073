import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { TransferredFiles } from '../../../lib/browser/transferred-files.ts';
import { formatBytes } from '../../../lib/format-bytes.ts';
import { SECOND_PHOTO } from '../../uploads/one-photo.ts';

/** The photo in the form for new memories. */
export interface ChosenPhoto {
  file: File | null;
  /** Why the last chosen file was rejected. */
  problem: string;
}

export const NO_PHOTO: ChosenPhoto = { file: null, problem: '' };

/** Some browsers leave the type of a HEIC empty. */
function isPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || /\.hei[cf]$/i.test(name);
}

/** Whether the form takes these files: others go to "Add many", which takes larger photos, too. */
export function isForForm({ entries, files }: TransferredFiles): boolean {
  const [file, ...others] = files;
  if (!file || others.length > 0 || entries.some((entry) => entry?.isDirectory)) return false;
  return isPhoto(file) && file.size <= MAX_UPLOAD_BYTES;
}

/** The first photo of these files. A file that cannot be uploaded leaves the one before. */
export function choosePhoto({ file }: ChosenPhoto, files: File[]): ChosenPhoto {
  const photo = files.find(isPhoto);
  if (!photo) return { file, problem: 'Please choose a photo' };
  if (photo.size > MAX_UPLOAD_BYTES)
    return {
      file,
      problem: `This photo is larger than ${formatBytes(MAX_UPLOAD_BYTES)}. Please choose a smaller one.`,
    };
  return { file: photo, problem: files.length > 1 ? SECOND_PHOTO : '' };
}
