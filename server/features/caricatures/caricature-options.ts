import { CaricatureStyle, type CaricatureOptions } from '#shared/caricature';
import type { AppContext } from '../../platform/context.ts';
import type { UserRow } from '../users/user-queries.ts';
import { remainingCaricatures } from './caricature-usage.ts';
import { isConsentNeeded } from './consent.ts';

/** What there is to choose, and how often still. */
export async function findCaricatureOptions(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'caricatureArtist'>,
  user: UserRow,
): Promise<CaricatureOptions> {
  const limit = context.config.limits.caricaturesPerDay;
  return {
    enabled: limit > 0,
    artist: context.caricatureArtist.name,
    styles: [...CaricatureStyle.options],
    remaining: await remainingCaricatures(context, user.id),
    limit,
    service: context.caricatureArtist.service,
    consentNeeded: isConsentNeeded(context, user),
  };
}
