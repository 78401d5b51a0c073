import type { CaricatureFailureReason } from '#shared/caricature';
import type { AppContext } from '../../platform/context.ts';
import { markCaricatureFailed } from './caricature-queries.ts';
import { refundCaricature } from './caricature-usage.ts';

/** Gives one up, stores the reason and refunds what was not paid. One that is drawn, completed or deleted stays so. */
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
