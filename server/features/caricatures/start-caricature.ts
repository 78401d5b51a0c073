import * as z from 'zod/mini';
import type { GenerateCaricatureRequest } from '#shared/caricature';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../platform/errors.ts';
import { answerOnce, type Answer, type RepeatableCall } from '../idempotency/with-idempotency-key.ts';
import { drawCaricatureJobDefinition } from '../job-catalogue.ts';
import { getOwnPet } from '../pets/get-pet.ts';
import { checkStorageLimit } from '../uploads/storage-limit.ts';
import { lockUser, type UserRow } from '../users/user-queries.ts';
import { presentCaricature } from './caricature-presenter.ts';
import {
  findGeneratingCaricature,
  findPhotographedMemory,
  getCaricature,
  getCaricatureToChange,
  insertCaricature,
  restartCaricature,
  type CaricatureRow,
} from './caricature-queries.ts';
import { countCaricature } from './caricature-usage.ts';
import { checkConsent } from './consent.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'caricatureArtist' | 'baseUrl'>;
type Owner = Pick<UserRow, 'id' | 'caricatureConsentAt'>;
type Subject = { petId: string | null; memoryId: string; originalImageId: string };

/** Bytes that a drawing may take: better refused before it is paid for. */
const DRAWING_MAX_BYTES = 4 * 1024 ** 2;

/**
 * Has a photo drawn, some time after the answer. While it is being drawn in the same style already, that is the answer;
 * a repeated call gets the first one's answer.
 * @throws NotFoundError for a pet or photo that is not there or not this owner's, TooManyRequestsError,
 *   AppError while consent is needed, TooLargeError when the album is full, InvalidError for a key used otherwise
 */
export function startCaricature(
  context: Context,
  owner: Owner,
  {
    order: { petId, imageUrl, style },
    call,
  }: { order: z.output<typeof GenerateCaricatureRequest>; call: RepeatableCall | null },
): Promise<Answer> {
  return beginOnce(context, owner, call, async (tx) => {
    const pet = await getOwnPet(tx, owner.id, petId);
    if (!pet) throw new NotFoundError('This pet was not found.');
    const photo = await findPhoto(tx, owner.id, imageIdOf(imageUrl));
    if (!photo) throw new NotFoundError('This photo was not found.');
    return begin(context, tx, owner, { ...photo, petId: pet.id, style });
  });
}

/**
 * Draws once more what is there: a failed one itself, of a finished one another. While that is being drawn it is the
 * answer.
 * @throws as `startCaricature` does; ConflictError when the photo is gone
 */
export function redoCaricature(
  context: Context,
  owner: Owner,
  { id, call }: { id: string; call: RepeatableCall | null },
): Promise<Answer> {
  return beginOnce(context, owner, call, async (tx) => {
    const { petId, style, originalImageId } = await getCaricature(tx, owner.id, id);
    // Pet, memory, caricature: see docs/lock-order.md.
    await getOwnPet(tx, owner.id, petId);
    const photo = originalImageId && (await findPhoto(tx, owner.id, originalImageId));
    const former = await getCaricatureToChange(tx, owner.id, id);
    if (former.status === 'generating') return former;
    if (!photo) throw new ConflictError('The photo of this caricature was deleted.');
    return begin(context, tx, owner, { ...photo, petId, style }, former);
  });
}

function beginOnce(
  context: Context,
  owner: Owner,
  call: RepeatableCall | null,
  begin: (tx: Tx) => Promise<CaricatureRow>,
): Promise<Answer> {
  return context.db.transaction((tx) =>
    answerOnce(context, tx, call, async () => {
      // Two at the same moment come one after the other.
      await lockUser(tx, owner.id);
      return { status: 202, body: presentCaricature(context, await begin(tx)) };
    }),
  );
}

async function begin(
  context: Context,
  tx: Tx,
  owner: Owner,
  subject: Subject & Pick<CaricatureRow, 'style'>,
  former?: CaricatureRow,
): Promise<CaricatureRow> {
  const { config, clock, caricatureArtist: artist, jobs } = context;
  const generating = await findGeneratingCaricature(tx, owner.id, subject);
  if (generating) return generating;
  if (config.limits.caricaturesPerDay === 0) throw new ForbiddenError('Caricatures are turned off.');
  checkConsent(context, owner);
  await checkStorageLimit(config, tx, owner.id, DRAWING_MAX_BYTES);
  const counted = await countCaricature(context, tx, owner.id);
  const start = { artist: artist.name, startedAt: clock.now(), ...counted };
  const caricature =
    former?.status === 'failed'
      ? await restartCaricature(tx, owner.id, former.id, start)
      : await insertCaricature(tx, { ownerId: owner.id, ...subject, ...start });
  await jobs.enqueue(tx, drawCaricatureJobDefinition, { ownerId: owner.id, caricatureId: caricature.id });
  return caricature;
}

async function findPhoto(
  tx: Tx,
  ownerId: string,
  imageId: string | null,
): Promise<{ memoryId: string; originalImageId: string } | null> {
  const memory = imageId && (await findPhotographedMemory(tx, ownerId, imageId));
  return memory ? { memoryId: memory.id, originalImageId: imageId } : null;
}

/** Of `/objects/<id>`, with or without a width; null for an address that is no photo of ours. */
function imageIdOf(imageUrl: string): string | null {
  const id = /^\/objects\/([^/?]+)(\?.*)?$/.exec(imageUrl)?.[1];
  return z.safeParse(z.uuid(), id).success ? (id ?? null) : null;
}
