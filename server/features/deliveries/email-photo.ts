import type { AppContext } from '../../platform/context.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { variantKey } from '../images/image-variants.ts';
import type { MailedMemory } from './email-content-queries.ts';

/** The longest side, and smaller ones for a picture that would be too heavy. Mail programs show no WebP. */
const SIDES = [1600, 1200, 900, 700, 500, 350, 250] as const;

export type MailPhoto = { content: Buffer; width: number; height: number };

/**
 * A JPEG without any metadata, as large as the bytes allow.
 * @throws UnavailableError when its bytes cannot be had
 */
export async function renderMailPhoto(
  { storage, imageDecoder }: Pick<AppContext, 'storage' | 'imageDecoder'>,
  { image }: Pick<MailedMemory, 'image'>,
  maxBytes: number,
): Promise<MailPhoto> {
  // The largest copy holds all that is needed, and is read many times as fast.
  const source = (await storage.read(variantKey(image.id, 1600))) ?? (await storage.read(image.objectKey));
  if (!source) throw new UnavailableError();
  for (const side of SIDES) {
    const scale = Math.min(1, side / Math.max(image.width, image.height));
    const [width, height] = [image.width, image.height].map((each) => Math.max(1, Math.round(each * scale)));
    const [content] = await imageDecoder.render(
      source,
      [{ format: 'jpeg', width: width ?? 1 }],
      'background',
    );
    const isLast = side === SIDES.at(-1);
    if (content && (content.length <= maxBytes || isLast)) {
      return { content, width: width ?? 1, height: height ?? 1 };
    }
  }
  throw new Error('No picture was rendered');
}
