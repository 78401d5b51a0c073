import { UPLOAD_MAX_BYTES } from '#shared/upload';

/** By extension too: browsers that don't know HEIC leave its type empty. */
export const PICTURE_TYPES = 'image/*,.heic,.heif';

/** Why a file can't be a profile picture, as far as can be told before the server looks into it; null when it may be one. */
export function pictureProblem({ name, type, size }: File): string | null {
  const isPicture = type.startsWith('image/') || (type === '' && /\.hei[cf]$/i.test(name));
  if (!isPicture) return 'Please choose a picture, like a JPEG, PNG or HEIC file';
  if (size > UPLOAD_MAX_BYTES) return 'This picture is larger than 10 MB. Please choose a smaller one';
  return null;
}
