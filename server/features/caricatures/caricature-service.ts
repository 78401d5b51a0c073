import {
  CaricatureStyle,
  CONSENT_NEEDED,
  toCaricatureFileName,
  type CaricatureFailureReason,
  type CaricatureOptions,
} from '#shared/album/caricature';
import type { AppContext } from '../../platform/context.ts';
import { AppError, ConflictError, NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';
import { updateUser, type UserRow } from '../accounts/users/user-queries.ts';
import { deleteImage } from '../images/delete-image.ts';
import { findImage, type ImageRow } from '../images/image-queries.ts';
import { getPet, type PetRow } from '../pets/pet-queries.ts';
import { editPet } from '../pets/pet-service.ts';
import {
  deleteCaricatureRow,
  getCompletedCaricature,
  listCaricatures,
  markCaricatureFailed,
  type ListedCaricature,
} from './caricature-queries.ts';
import {
  isGeneratorExternal,
  refundCaricature,
  refundNextCall,
  remainingCaricatures,
} from './caricature-usage.ts';
import { readCaricatureBytes } from './save-caricature-as-memory.ts';

export async function getCaricatureOptions(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'caricatureGenerator'>,
  user: UserRow,
): Promise<CaricatureOptions> {
  const limit = context.config.limits.caricaturesPerDay;
  return {
    enabled: limit > 0,
    artist: context.caricatureGenerator.name,
    styles: [...CaricatureStyle.options],
    remaining: await remainingCaricatures(context, user.id),
    limit,
    service: context.caricatureGenerator.service,
    consentNeeded: needsConsent(context, user),
  };
}

/** Photos are sent to an external service only after their owner has agreed once. */
export function needsConsent(
  context: Pick<AppContext, 'caricatureGenerator'>,
  user: Pick<UserRow, 'caricatureConsentAt'>,
): boolean {
  return isGeneratorExternal(context) && user.caricatureConsentAt === null;
}

export function checkConsent(
  context: Pick<AppContext, 'caricatureGenerator'>,
  user: Pick<UserRow, 'caricatureConsentAt'>,
): void {
  if (!needsConsent(context, user)) return;
  const message = 'Please agree first that your photo is sent to the AI service.';
  throw new AppError(409, message, { code: CONSENT_NEEDED });
}

/** Idempotent: the first consent's time stays. */
export async function giveConsent(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  user: Pick<UserRow, 'id' | 'caricatureConsentAt'>,
): Promise<void> {
  if (!user.caricatureConsentAt) await updateUser(db, user.id, { caricatureConsentAt: clock.now() });
}

export async function listCaricaturesOfPet(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  petId: string,
  page: PageRange<CreatedAtCursor>,
): Promise<ListedCaricature[]> {
  await getPet(db, ownerId, petId);
  return listCaricatures(db, ownerId, { petId, ...page });
}

export async function getCaricatureFile(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
): Promise<{ image: ImageRow; name: string }> {
  const { imageId, petId } = await getCompletedCaricature(db, ownerId, id);
  const image = await findImage(db, ownerId, imageId);
  if (!image) throw new NotFoundError();
  const pet = petId ? await getPet(db, ownerId, petId) : null;
  return { image, name: toCaricatureFileName(pet?.name) };
}

export async function setAsProfilePicture(context: AppContext, ownerId: string, id: string): Promise<PetRow> {
  const { petId, imageId } = await getCompletedCaricature(context.db, ownerId, id);
  if (!petId) throw new ConflictError('The pet of this caricature was deleted.');
  const photo = await readCaricatureBytes(context, ownerId, imageId);
  return editPet(context, ownerId, petId, { fields: {}, photo });
}

/** Stores the reason and refunds the usage, unless the image exists already. */
export function failCaricature(
  { db }: Pick<AppContext, 'db'>,
  { ownerId, id }: { ownerId: string; id: string },
  reason: CaricatureFailureReason,
): Promise<void> {
  return db.transaction(async (tx) => {
    const failed = await markCaricatureFailed(tx, ownerId, id, reason);
    if (failed) await refundCaricature(tx, failed);
  });
}

/** A memory saved from it stays. A running call is charged, so its usage is not refunded. */
export function deleteCaricature(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const deleted = await deleteCaricatureRow(tx, ownerId, id);
    if (deleted.status === 'generating') await refundNextCall(tx, deleted);
    if (deleted.imageId) await deleteImage(context, tx, ownerId, deleted.imageId);
  });
}
