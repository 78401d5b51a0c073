import { CONSENT_NEEDED } from '#shared/caricature';
import type { AppContext } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { updateUser, type UserRow } from '../users/user-queries.ts';

/** Whether photos leave this installation to be drawn. */
export function isOutside({ caricatureArtist }: Pick<AppContext, 'caricatureArtist'>): boolean {
  return caricatureArtist.service !== null;
}

/** Nothing goes out before its owner has agreed to that, once. */
export function isConsentNeeded(
  context: Pick<AppContext, 'caricatureArtist'>,
  user: Pick<UserRow, 'caricatureConsentAt'>,
): boolean {
  return isOutside(context) && user.caricatureConsentAt === null;
}

/** @throws AppError that says what to ask them */
export function checkConsent(
  context: Pick<AppContext, 'caricatureArtist'>,
  user: Pick<UserRow, 'caricatureConsentAt'>,
): void {
  if (!isConsentNeeded(context, user)) return;
  const message = 'Please agree first that your photo is sent to the AI service.';
  throw new AppError(409, message, { code: CONSENT_NEEDED });
}

/** The first time counts. */
export async function giveConsent(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  user: Pick<UserRow, 'id' | 'caricatureConsentAt'>,
): Promise<void> {
  if (!user.caricatureConsentAt) await updateUser(db, user.id, { caricatureConsentAt: clock.now() });
}
