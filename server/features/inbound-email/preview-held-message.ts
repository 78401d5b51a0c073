import { MOST_HELD_PREVIEWS, type HeldMessagePreviews } from '#shared/inbound-email';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { isRefusal } from '../uploads/finalize-upload.ts';
import { findEmail } from './inbound-email-queries.ts';
import { MESSAGE_NOT_THERE } from './held-messages.ts';
import { parseEmail } from './parse-email.ts';
import { emailKey } from './receive-email.ts';

/** Sharp on a phone's screen, where they are smallest. */
const SIDE = 240;

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'rateLimits'>;

/**
 * The first photos of a mail that waits, as small squares without metadata; null for one that could not become a memory.
 * They are made when their owner asks, and kept nowhere: no stranger's picture is read before, and none stays behind.
 * @throws NotFoundError when it waits no more
 */
export async function previewHeldMessage(
  context: Context,
  ownerId: string,
  id: string,
): Promise<HeldMessagePreviews> {
  const { db, storage, rateLimits } = context;
  const email = await findEmail(db, ownerId, id);
  if (email?.status !== 'waiting') throw new NotFoundError(MESSAGE_NOT_THERE);
  await rateLimits.previewPerUser.consume(ownerId, 'You have opened many previews.');
  const raw = await storage.read(emailKey(id));
  const parsed = raw && (await parseEmail(raw));
  if (!parsed) throw new NotFoundError(MESSAGE_NOT_THERE);
  const previews: HeldMessagePreviews = [];
  const shown = parsed.photos.slice(0, MOST_HELD_PREVIEWS);
  for (const { bytes } of shown) previews.push(await previewPhoto(context, bytes));
  return previews;
}

async function previewPhoto({ imageDecoder }: Context, photo: Buffer): Promise<string | null> {
  if (photo.length > UPLOAD_MAX_BYTES) return null;
  try {
    const [square] = await imageDecoder.render(photo, [{ format: 'webp', square: SIDE }], 'interactive');
    return square ? `data:image/webp;base64,${square.toString('base64')}` : null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}
