import { PictureProposal, type Pet } from '#shared/album/pet';
import type { SquareCrop } from '#shared/photos/square-crop';
import { apiPost } from '../../lib/api/api-client.ts';
import { toCopyUrl } from '../../lib/image-sources.ts';
import { centerCrop, fitCrop, type Size } from './crop.ts';

/** A picture and its size, which the server counts a crop in. */
export interface PictureSource extends Size {
  url: string;
}

/** Enough to find the most salient part. */
const PROPOSAL_SIDE = 800;
/** Then the middle is as good. */
const PROPOSAL_TIMEOUT_MS = 8000;
/** A HEIC of 10 MB is sent as a whole. Saving waits for its preview. */
const PREVIEW_TIMEOUT_MS = 60_000;

export interface ChosenPicture {
  source: PictureSource;
  crop: SquareCrop;
  /** Of a stored one. */
  imageId?: string;
}

/**
 * With the server's proposal, unless there is a crop. A HEIC that the browser cannot decode is shown as the server decodes it.
 * @throws if neither can decode it
 */
export async function readChosenPicture(
  file: File,
  url: string,
  crop: SquareCrop | null,
  signal: AbortSignal,
): Promise<ChosenPicture> {
  const image = await loadImage(url).catch(() => null);
  if (!image) {
    const { preview, width, height, ...proposed } = await propose(file, true, signal);
    if (preview === null) throw new Error('The proposal has no preview');
    return { source: { url: preview, width, height }, crop: crop ?? proposed };
  }
  const source = { url, width: image.naturalWidth, height: image.naturalHeight };
  return { source, crop: crop ?? (await proposeFor(image, signal)) };
}

/** The stored original, or the square of a pet whose original is not known. @throws if it is gone */
export async function readStoredPicture({
  profileImageUrl,
  profileImageCrop,
}: Pet): Promise<ChosenPicture | null> {
  const imageUrl = profileImageCrop?.originalUrl ?? profileImageUrl;
  if (imageUrl === null) return null;
  const imageId = imageUrl.replace('/objects/', '');
  const url = profileImageCrop ? toCopyUrl(imageUrl, 1600) : imageUrl;
  const { naturalWidth, naturalHeight } = await loadImage(url);
  if (profileImageCrop) {
    const { width, height, left, top, size } = profileImageCrop;
    return { source: { url, width, height }, crop: { left, top, size }, imageId };
  }
  const source = { url, width: naturalWidth, height: naturalHeight };
  return { source, crop: centerCrop(source), imageId };
}

async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  if (image.naturalWidth === 0) throw new Error('The picture has no size');
  return image;
}

/** Asks about a small copy, which is sent at once. */
async function proposeFor(image: HTMLImageElement, signal: AbortSignal): Promise<SquareCrop> {
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  try {
    const scale = Math.min(1, PROPOSAL_SIDE / Math.max(size.width, size.height));
    const { left, top, size: side, ...small } = await propose(await drawCopy(image, scale), false, signal);
    const shrunk = Math.min(size.width, size.height) / Math.min(small.width, small.height);
    return fitCrop({ left: left * shrunk, top: top * shrunk, size: side * shrunk }, size);
  } catch {
    return centerCrop(size);
  }
}

async function drawCopy(image: HTMLImageElement, scale: number): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const copy = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
  if (!copy) throw new Error('The picture could not be drawn');
  return copy;
}

function propose(picture: Blob, withPreview: boolean, signal: AbortSignal): Promise<PictureProposal> {
  const form = new FormData();
  form.append('profileImage', picture);
  form.append('withPreview', String(withPreview));
  const timeout = AbortSignal.timeout(withPreview ? PREVIEW_TIMEOUT_MS : PROPOSAL_TIMEOUT_MS);
  return apiPost('/api/pets/picture-proposal', form, PictureProposal, {}, AbortSignal.any([signal, timeout]));
}
