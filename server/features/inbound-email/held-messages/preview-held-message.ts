import { MAX_HELD_PREVIEWS, type HeldMessagePreviews } from '#shared/transfers/inbound-email';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { AppContext } from '../../../platform/context.ts';
import { DecodeTimeoutError, NotFoundError, UnsupportedImageError } from '../../../platform/errors.ts';
import { emailKey, findEmail } from '../inbound-email-queries.ts';
import { parseEmail } from '../parse/parse-email.ts';
import { MESSAGE_NOT_FOUND } from './held-messages.ts';

/** Sharp on a phone's screen, where previews are smallest. */
const PREVIEW_SIDE = 240;

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'rateLimits'>;

/** Rendered on request, so that photos of unknown senders are not decoded before their owner asks. */
export async function previewHeldMessage(
  context: Context,
  ownerId: string,
  id: string,
): Promise<HeldMessagePreviews> {
  const { db, storage, rateLimits } = context;
  const email = await findEmail(db, ownerId, id);
  if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_FOUND);
  await rateLimits.previewPerUser.consume(ownerId, 'You have opened many previews.');
  const raw = await storage.read(emailKey(id));
  const parsed = raw && parseEmail(raw);
  if (!parsed) throw new NotFoundError(MESSAGE_NOT_FOUND);
  const previews: HeldMessagePreviews = [];
  const shown = parsed.photos.slice(0, MAX_HELD_PREVIEWS);
  for (const [index, { bytes }] of shown.entries())
    previews.push(await previewPhoto(context, ownerId, `held ${id} ${index}`, bytes));
  return previews;
}

async function previewPhoto(
  { imageDecoder }: Context,
  ownerId: string,
  imageId: string,
  photo: Buffer,
): Promise<string | null> {
  if (photo.length > MAX_UPLOAD_BYTES) return null;
  try {
    const { square } = await imageDecoder.renderOnce(imageId, 'preview', () =>
      imageDecoder.withDecodeSlot(ownerId, () => imageDecoder.cropSquare(ownerId, photo, PREVIEW_SIDE)),
    );
    return `data:image/webp;base64,${square.toString('base64')}`;
  } catch (error) {
    if (error instanceof UnsupportedImageError || error instanceof DecodeTimeoutError) return null;
    throw error;
  }
}
