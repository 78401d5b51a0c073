import * as z from 'zod/mini';
import type { GenerateCaricatureRequest } from '#shared/album/caricature';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../platform/errors.ts';
import { requireBillableAccess, type BillableUser } from '../accounts/users/require-billable-access.ts';
import { lockUser, type UserRow } from '../accounts/users/user-queries.ts';
import { withIdempotencyKey, type IdempotentRequest } from '../idempotency/with-idempotency-key.ts';
import { getPet } from '../pets/pet-queries.ts';
import { checkStorageLimit } from '../storage/storage-limit.ts';
import {
  findGeneratingCaricature,
  findMemoryOfImage,
  getCaricature,
  lockCaricature,
  insertCaricature,
  restartCaricature,
  type CaricatureRow,
} from './caricature-queries.ts';
import { checkConsent } from './caricature-service.ts';
import { countCaricature, isGeneratorExternal } from './caricature-usage.ts';
import { generateCaricatureJob } from './generate-caricature-job.ts';

type Owner = Pick<UserRow, 'id' | 'caricatureConsentAt'> & BillableUser;
type Photo = { memoryId: string; originalImageId: string };
type Subject = Photo & Pick<CaricatureRow, 'petId' | 'style'>;

/** An upper estimate: a full account is rejected before the call is paid for. */
const MAX_GENERATED_BYTES = 4 * 1024 ** 2;

/** Returns the existing caricature while this photo is being generated in this style. */
export function startCaricature(
  context: AppContext,
  owner: Owner,
  { petId, imageUrl, style }: z.output<typeof GenerateCaricatureRequest>,
  request: IdempotentRequest | null,
): Promise<CaricatureRow> {
  return startOnce(context, owner, request, async (tx) => {
    const pet = await getPet(tx, owner.id, petId, 'share');
    const photo = await findPhoto(tx, owner.id, parseImageUrl(imageUrl));
    if (!photo) throw new NotFoundError('This photo was not found.');
    return start(context, tx, owner, { ...photo, petId: pet.id, style });
  });
}

/** Restarts a failed caricature, or starts another one from the photo of a completed one. */
export function redoCaricature(
  context: AppContext,
  owner: Owner,
  id: string,
  request: IdempotentRequest | null,
): Promise<CaricatureRow> {
  return startOnce(context, owner, request, async (tx) => {
    const { petId, style, originalImageId } = await getCaricature(tx, owner.id, id);
    // Lock the pet and the memory before the caricature, as deleting either of them does.
    if (petId) await getPet(tx, owner.id, petId, 'share');
    const photo = originalImageId && (await findPhoto(tx, owner.id, originalImageId));
    const previous = await lockCaricature(tx, owner.id, id);
    if (previous.status === 'generating') return previous;
    if (!photo) throw new ConflictError('The photo of this caricature was deleted.');
    return start(context, tx, owner, { ...photo, petId, style }, previous);
  });
}

function startOnce(
  context: AppContext,
  owner: Owner,
  request: IdempotentRequest | null,
  run: (tx: Tx) => Promise<CaricatureRow>,
): Promise<CaricatureRow> {
  return context.db.transaction((tx) =>
    withIdempotencyKey(context, tx, request, {
      find: (_db, id) => getCaricature(tx, owner.id, id),
      async create() {
        // Serializes concurrent calls, so that they find each other's caricature.
        await lockUser(tx, owner.id);
        return run(tx);
      },
    }),
  );
}

async function start(
  context: AppContext,
  tx: Tx,
  owner: Owner,
  subject: Subject,
  previous?: CaricatureRow,
): Promise<CaricatureRow> {
  const { config, clock, caricatureGenerator, diskSpace, jobs } = context;
  const generating = await findGeneratingCaricature(tx, owner.id, subject);
  if (generating) return generating;
  if (config.limits.caricaturesPerDay === 0) throw new ForbiddenError('Caricatures are turned off.');
  if (isGeneratorExternal(context)) requireBillableAccess(context, owner);
  checkConsent(context, owner);
  await diskSpace.requireRoom();
  await checkStorageLimit(config, tx, owner.id, MAX_GENERATED_BYTES);
  const counted = await countCaricature(context, tx, owner.id);
  const values = { generator: caricatureGenerator.name, startedAt: clock.now(), ...counted };
  const caricature =
    previous?.status === 'failed'
      ? await restartCaricature(tx, owner.id, previous.id, values)
      : await insertCaricature(tx, { ownerId: owner.id, ...subject, ...values });
  await jobs.enqueue(tx, generateCaricatureJob, { ownerId: owner.id, caricatureId: caricature.id });
  return caricature;
}

async function findPhoto(tx: Tx, ownerId: string, imageId: string | null): Promise<Photo | null> {
  const memory = imageId && (await findMemoryOfImage(tx, ownerId, imageId));
  return memory ? { memoryId: memory.id, originalImageId: imageId } : null;
}

function parseImageUrl(imageUrl: string): string | null {
  const id = /^\/objects\/([^/?]+)(\?.*)?$/.exec(imageUrl)?.[1];
  return z.safeParse(z.uuid(), id).success ? (id ?? null) : null;
}
